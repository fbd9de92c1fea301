/// The screen of an open page: records changes in the page's event buffer, renders them as events, and handles the reports of the page.
protocol WindowScreen: Sendable {
    /// The identity of a row.
    associatedtype RowID: Hashable & Sendable & LosslessStringConvertible

    var eventBuffer: EventBuffer<RowID> { get }
    /// The token of the person whose content the screen shows; nil for content that everybody may see.
    var token: String? { get }
    /// Records everything that the page needs to show the screen from scratch.
    func invalidateAll()
    /// Returns the events for changes, with the current content.
    func events(for changes: ChangeLog<RowID>.Changes) -> [WindowEvent]
    /// Returns the output after an event that the page has, as soon as there is any.
    func nextOutput(after id: Int, for reader: Int) async -> StreamOutput
    /// Notifies the screen that it has a session: its page is rendered, or about to open a stream. By default nothing.
    func sessionDidOpen()
    /// Notifies the screen that its page gained or lost its stream. Nothing is loaded for a page without a stream.
    func setVisible(_ isVisible: Bool)
    func refresh()
    /// Retries the screen as a whole; by default refreshes it.
    func retry()
    /// Retries failed loads after a server has recovered.
    ///
    /// - Parameter isRetried: Returns whether an error is among those to retry.
    func retryFailures(where isRetried: @Sendable (any Error) -> Bool)
    func stop()
}

/// The output of a stream.
enum StreamOutput: Sendable {
    case events([WindowEvent], upTo: Int)
    /// A keep-alive after an interval without changes.
    case heartbeat
    /// The last event of the page is too old.
    case gap
    case end
}

extension WindowScreen {
    var token: String? { nil }

    // A protocol requirement, so that it is specialized for the rows of each screen: every change calls it for every open page.
    func nextOutput(after id: Int, for reader: Int) async -> StreamOutput {
        switch await eventBuffer.next(after: id, reader: reader) {
        case .changes(let changes): .events(events(for: changes), upTo: changes.id)
        case .heartbeat: .heartbeat
        case .gap: .gap
        case .end: .end
        }
    }

    func sessionDidOpen() {}

    func retry() { refresh() }

    func close() {
        stop()
        closeStream()
    }

    // MARK: Access to the event buffer without the row type

    var lastEventID: Int { eventBuffer.lastID }

    func registerReader() -> Int { eventBuffer.registerReader() }

    func sendHeartbeat() { eventBuffer.sendHeartbeat() }

    func closeStream() { eventBuffer.close() }
}
