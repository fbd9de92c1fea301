import LadingFeeds

/// How long a page is held back for what it is to show.
enum RenderTimeout {
    /// For a page that runs scripts: what would be there at once anyway.
    static let withScripts = Duration.milliseconds(250)
    /// For a page without scripts: its rows.
    static let withoutScripts = Duration.seconds(2)
}

extension WindowScreen {
    /// Waits until a condition holds, for a limited time. Must not be called while somebody else reads the mailbox.
    func wait(atMost limit: Duration, on clock: any Clock<Duration>, until condition: @escaping @Sendable (Self) -> Bool) async {
        await withTimeout(limit, on: clock) {
            let reader = mailbox.registerReader()
            var last = mailbox.lastID
            while !condition(self), case .changes(let changes) = await mailbox.next(after: last, reader: reader) {
                last = changes.id
            }
        }
    }
}

extension FeedController {
    /// Whether there is a list to show, or nothing to wait for: a list that an earlier process has stored is shown while another one is fetched.
    var hasList: Bool {
        let list = list
        return !isRestoring && (list.isSettled || list.snapshot.count > 0)
    }
}

/// Runs work until it ends or the time is up.
func withTimeout(
    _ limit: Duration, on clock: any Clock<Duration>, _ work: @escaping @Sendable () async -> Void
) async {
    await withTaskGroup { group in
        group.addTask { await work() }
        group.addTask { try? await clock.sleep(for: limit) }
        await group.next()
        group.cancelAll()
    }
}
