/// The observers of an operation's states.
///
/// States are recorded under the lock of the queue and delivered after unlocking, in the same order.
struct StateObservers: Sendable {
    /// The number of states that are buffered for a slow reader.
    static let bufferLimit = 16

    private var pending: [OperationState] = []
    /// The last recorded state.
    private var latest: OperationState?
    private var continuations: [AsyncStream<OperationState>.Continuation] = []

    /// Returns a stream that starts with the given state.
    mutating func subscribe(from state: OperationState) -> AsyncStream<OperationState> {
        // Earlier states are for earlier observers.
        deliver(isLast: false)
        latest = state
        let (stream, continuation) = AsyncStream.makeStream(of: OperationState.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
        continuation.yield(state)
        continuations.append(continuation)
        return stream
    }

    /// Records a state for delivery, unless it is the current one.
    mutating func append(_ state: OperationState) {
        guard state != latest else { return }
        latest = state
        pending.append(state)
    }

    mutating func deliver(isLast: Bool) {
        for state in pending {
            for continuation in continuations { continuation.yield(state) }
        }
        pending = []
        guard isLast else { return }
        for continuation in continuations { continuation.finish() }
        continuations = []
    }
}
