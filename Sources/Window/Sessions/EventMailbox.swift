import Synchronization

/// Where one page's events wait for its stream: bounded, with one reader at a time, the newest.
final class EventMailbox: Sendable {
    /// What a reader finds.
    enum Delivery: Sendable {
        case events([EventLog.Event])
        /// Nothing has happened for a while; the line is still alive.
        case beat
        /// What the reader had last is too long ago.
        case gap
        /// Another reader has come, or the page is gone.
        case end
    }

    private struct Reader {
        var number: Int
        var after: Int
        var continuation: CheckedContinuation<Delivery, Never>
    }

    private struct State {
        var log = EventLog()
        var reader: Reader?
        var readers = 0
        var isClosed = false

        /// What a reader can be given now; nil when it has to wait.
        func delivery(after id: Int) -> Delivery? {
            if isClosed { return .end }
            switch log.events(after: id) {
            case .gap: return .gap
            case .events(let events): return events.isEmpty ? nil : .events(events)
            }
        }
    }

    private let state = Mutex(State())

    var lastID: Int { state.withLock { $0.log.lastID } }

    /// Whether somebody reads at this moment.
    var hasReader: Bool { state.withLock { $0.reader != nil } }

    /// A number for a new reader; the one before is shown out.
    func admitReader() -> Int {
        let (number, earlier) = state.withLock { state in
            state.readers += 1
            return (state.readers, state.reader.take())
        }
        earlier?.continuation.resume(returning: .end)
        return number
    }

    func append(_ name: String, data: String) {
        deliver { $0.log.append(name, data: data) }
    }

    /// Lets a waiting reader know that the line is alive.
    func beat() {
        let reader = state.withLock { $0.reader.take() }
        reader?.continuation.resume(returning: .beat)
    }

    func close() {
        deliver { $0.isClosed = true }
    }

    /// The events after one that the reader has, as soon as there are any.
    func next(after id: Int, reader number: Int) async -> Delivery {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let delivery: Delivery? = state.withLock { state in
                    if number != state.readers || Task.isCancelled { return .end }
                    if let delivery = state.delivery(after: id) { return delivery }
                    state.reader = Reader(number: number, after: id, continuation: continuation)
                    return nil
                }
                if let delivery { continuation.resume(returning: delivery) }
            }
        } onCancel: {
            let reader = state.withLock { $0.reader?.number == number ? $0.reader.take() : nil }
            reader?.continuation.resume(returning: .end)
        }
    }

    private func deliver(_ change: (inout State) -> Void) {
        let woken = state.withLock { state -> (Reader, Delivery)? in
            change(&state)
            guard let reader = state.reader, let delivery = state.delivery(after: reader.after) else { return nil }
            state.reader = nil
            return (reader, delivery)
        }
        if let (reader, delivery) = woken { reader.continuation.resume(returning: delivery) }
    }
}
