import LadingFeeds

/// The time limits for loading content before a page is rendered.
enum RenderTimeout {
    /// The limit for a page with scripts, enough for cached content.
    static let withScripts = Duration.milliseconds(250)
    /// The limit for a page without scripts, enough for its rows.
    static let withoutScripts = Duration.seconds(2)
}

extension WindowScreen {
    /// Waits until a condition holds, at most for a limit. Must not be called while the event buffer has another reader.
    func wait(atMost limit: Duration, on clock: any Clock<Duration>, until condition: @escaping @Sendable (Self) -> Bool) async {
        await withTimeout(limit, on: clock) {
            let reader = eventBuffer.registerReader()
            var last = eventBuffer.lastID
            while !condition(self), case .changes(let changes) = await eventBuffer.next(after: last, reader: reader) {
                last = changes.id
            }
        }
    }
}

extension FeedController {
    /// Whether there is a list to show, possibly a stored one, or nothing to wait for.
    var hasList: Bool {
        let list = list
        return !isRestoring && (list.hasFinishedLoading || list.snapshot.count > 0)
    }
}

/// Runs a closure until it ends or the limit expires.
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
