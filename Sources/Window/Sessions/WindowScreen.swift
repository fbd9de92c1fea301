/// What one open page shows: it notes changes in the page's mailbox, says what is to be sent of them, and takes what the page reports.
protocol WindowScreen: Sendable {
    /// The identity of a row, as its page knows it.
    associatedtype RowID: Hashable & Sendable & LosslessStringConvertible

    var mailbox: EventMailbox<RowID> { get }
    /// Notes everything that the page needs to show the screen anew.
    func invalidateAll()
    /// What brings the page up to date with these changes, as it is now.
    func events(for changes: ChangeLog<RowID>.Changes) -> [WindowEvent]
    /// What the page is sent after an event that it has, as soon as there is anything.
    func nextOutput(after id: Int, for reader: Int) async -> StreamOutput
    /// The page is looked at again, or is not any more. Nothing is loaded for a page that nobody looks at.
    func setVisible(_ isVisible: Bool)
    func setViewport(_ report: ViewportReport)
    func setQuery(_ query: RequestedQuery)
    /// Reads all rows for the search or sort, or ends that.
    func loadAllRows(_ all: Bool)
    /// Asks again for a row that failed; nil for the screen as a whole.
    func retry(_ row: RowID?)
    func refresh()
    /// Loads again what failed for some reasons, because a server answers again.
    ///
    /// - Parameter isRetried: Whether a failure is one of those.
    func retryFailures(where isRetried: @Sendable (any Error) -> Bool)
    func stop()
}

/// What a stream has to write.
enum StreamOutput: Sendable {
    case events([WindowEvent], upTo: Int)
    /// Nothing has happened for a while; the line is still alive.
    case heartbeat
    /// What the page had last is too long ago.
    case gap
    case end
}

extension WindowScreen {
    // A requirement with a body, so that each screen has its own, made for its kind of rows: a change is one of these calls for every open page.
    func nextOutput(after id: Int, for reader: Int) async -> StreamOutput {
        switch await mailbox.next(after: id, reader: reader) {
        case .changes(let changes): .events(events(for: changes), upTo: changes.id)
        case .heartbeat: .heartbeat
        case .gap: .gap
        case .end: .end
        }
    }

    func loadAllRows(_ all: Bool) {}

    func retry(rowNamed row: String?) {
        if let row { RowID(row).map(retry) } else { retry(nil) }
    }

    func close() {
        stop()
        closeStream()
    }

    // MARK: The mailbox, for those who do not know what kind of rows there are

    var lastEventID: Int { mailbox.lastID }

    func registerReader() -> Int { mailbox.registerReader() }

    func sendHeartbeat() { mailbox.sendHeartbeat() }

    func closeStream() { mailbox.close() }
}
