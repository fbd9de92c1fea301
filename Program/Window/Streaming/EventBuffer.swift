import Synchronization

/// A bounded buffer between the changes of a page and its stream. Only the newest reader is served.
final class EventBuffer<RowID: Hashable & Sendable>: Sendable {
    /// The result of a read.
    enum ReadResult: Sendable {
        case changes(ChangeLog<RowID>.Changes)
        /// A keep-alive after an interval without changes.
        case heartbeat
        /// The reader's last event is too old.
        case gap
        /// Another reader was registered, or the page is closed.
        case end
    }

    private struct Reader {
        var number: Int
        var after: Int
        var continuation: CheckedContinuation<ReadResult, Never>
    }

    private struct State {
        var log = ChangeLog<RowID>()
        var reader: Reader?
        var readers = 0
        var isClosed = false

        /// Returns the result for a reader; nil when it has to wait.
        func result(after id: Int) -> ReadResult? {
            if isClosed { return .end }
            guard let changes = log.changes(after: id) else { return .gap }
            return changes.id == id ? nil : .changes(changes)
        }
    }

    private let state = Mutex(State())

    var lastID: Int { state.withLock { $0.log.lastID } }

    /// Registers a new reader and returns its number; ends the previous reader.
    func registerReader() -> Int {
        let (number, earlier) = state.withLock { state in
            state.readers += 1
            return (state.readers, state.reader.take())
        }
        earlier?.continuation.resume(returning: .end)
        return number
    }

    /// Records a change and notifies the reader.
    func record(_ change: (inout ChangeLog<RowID>) -> Void) {
        updateAndNotify { change(&$0.log) }
    }

    /// Sends a heartbeat to a waiting reader.
    func sendHeartbeat() {
        let reader = state.withLock { $0.reader.take() }
        reader?.continuation.resume(returning: .heartbeat)
    }

    func close() {
        updateAndNotify { $0.isClosed = true }
    }

    /// Returns the changes after an event as soon as there are any.
    func next(after id: Int, reader number: Int) async -> ReadResult {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: ReadResult? = state.withLock { state in
                    if number != state.readers || Task.isCancelled { return .end }
                    if let result = state.result(after: id) { return result }
                    state.reader = Reader(number: number, after: id, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let reader = state.withLock { $0.reader?.number == number ? $0.reader.take() : nil }
            reader?.continuation.resume(returning: .end)
        }
    }

    private func updateAndNotify(_ change: (inout State) -> Void) {
        let woken = state.withLock { state -> (Reader, ReadResult)? in
            change(&state)
            guard let reader = state.reader, let result = state.result(after: reader.after) else { return nil }
            state.reader = nil
            return (reader, result)
        }
        if let (reader, result) = woken { reader.continuation.resume(returning: result) }
    }
}
