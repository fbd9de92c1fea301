/// Those who follow the states of one operation.
///
/// States are noted under the lock of the queue and delivered after it, in the order in which they were noted.
struct StateObservers: Sendable {
    /// How many states one who reads slowly can lag behind.
    static let bufferLimit = 16

    private var pending: [OperationState] = []
    /// What was noted last.
    private var latest: OperationState?
    private var continuations: [AsyncStream<OperationState>.Continuation] = []

    /// A stream that begins with a state.
    mutating func subscribe(from state: OperationState) -> AsyncStream<OperationState> {
        // What came before is for those who were there before.
        deliver(isLast: false)
        latest = state
        let (stream, continuation) = AsyncStream.makeStream(of: OperationState.self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
        continuation.yield(state)
        continuations.append(continuation)
        return stream
    }

    /// A state to be delivered, unless it is the one it is in already.
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
