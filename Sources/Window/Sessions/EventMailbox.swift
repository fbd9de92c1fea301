import Synchronization

/// Where one page's changes wait for its stream: bounded, with one reader at a time, the newest.
final class EventMailbox<RowID: Hashable & Sendable>: Sendable {
    /// What a reader finds.
    enum ReadResult: Sendable {
        case changes(ChangeLog<RowID>.Changes)
        /// Nothing has happened for a while; the line is still alive.
        case heartbeat
        /// What the reader had last is too long ago.
        case gap
        /// Another reader has come, or the page is gone.
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

        /// What a reader can be given now; nil when it has to wait.
        func result(after id: Int) -> ReadResult? {
            if isClosed { return .end }
            guard let changes = log.changes(after: id) else { return .gap }
            return changes.id == id ? nil : .changes(changes)
        }
    }

    private let state = Mutex(State())

    var lastID: Int { state.withLock { $0.log.lastID } }

    /// A number for a new reader; the one before is shown out.
    func registerReader() -> Int {
        let (number, earlier) = state.withLock { state in
            state.readers += 1
            return (state.readers, state.reader.take())
        }
        earlier?.continuation.resume(returning: .end)
        return number
    }

    /// Lets the reader know that something has changed.
    func record(_ change: (inout ChangeLog<RowID>) -> Void) {
        updateAndNotify { change(&$0.log) }
    }

    /// Lets a waiting reader know that the line is alive.
    func sendHeartbeat() {
        let reader = state.withLock { $0.reader.take() }
        reader?.continuation.resume(returning: .heartbeat)
    }

    func close() {
        updateAndNotify { $0.isClosed = true }
    }

    /// What changed after an event that the reader has, as soon as anything did.
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
