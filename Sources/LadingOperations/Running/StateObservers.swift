import Observers

/// The observers of an operation's states.
///
/// States are recorded under the lock of the queue and sent under no lock, in the same order: a reader whose task is being cancelled may be waiting for
/// such a lock in its cancellation handler, as one that cancels the operation does, and sending to it waits for this handler.
struct StateObservers: Sendable {
    /// The number of states that are buffered for a slow reader.
    static let bufferLimit = 16

    typealias Continuation = AsyncStream<OperationState>.Continuation

    /// States and the observers that have not received them.
    struct Delivery: Sendable {
        fileprivate let states: [(state: OperationState, observers: ArraySlice<Continuation>)]
        fileprivate let finished: [Continuation]

        func send() {
            for (state, observers) in states {
                for observer in observers { observer.yield(state) }
            }
            for observer in finished { observer.finish() }
        }
    }

    /// The recorded states, each with the number of observers at that time: later ones do not receive it.
    private var pending: [(state: OperationState, observerCount: Int)] = []
    /// The last recorded state.
    private var latest: OperationState?
    private var continuations: [Continuation] = []
    private var deliveryRight = DeliveryRight()

    /// Returns a stream that starts with the given state.
    mutating func subscribe(from state: OperationState) -> AsyncStream<OperationState> {
        latest = state
        let (stream, continuation) = Self.makeStream(from: state)
        continuations.append(continuation)
        return stream
    }

    /// Returns a stream of the last state.
    static func stream(ofLast state: OperationState) -> AsyncStream<OperationState> {
        let (stream, continuation) = makeStream(from: state)
        continuation.finish()
        return stream
    }

    private static func makeStream(from state: OperationState) -> (AsyncStream<OperationState>, Continuation) {
        let (stream, continuation) = AsyncStream.makeStream(of: OperationState.self, bufferingPolicy: .bufferingNewest(bufferLimit))
        continuation.yield(state)
        return (stream, continuation)
    }

    /// Records a state for delivery, unless it is the current one.
    mutating func append(_ state: OperationState) {
        guard state != latest else { return }
        latest = state
        pending.append((state, continuations.count))
    }

    /// Returns what is to be sent; nil if there is nothing, or if another thread sends it.
    ///
    /// - Parameter isLast: Whether no state follows.
    mutating func nextDelivery(isLast: Bool, isHolder: inout Bool) -> Delivery? {
        let hasDelivery = !pending.isEmpty || isLast && !continuations.isEmpty
        guard deliveryRight.acquire(if: hasDelivery, isHolder: &isHolder) else { return nil }
        defer {
            pending = []
            if isLast { continuations = [] }
        }
        return Delivery(
            states: pending.map { ($0.state, continuations.prefix($0.observerCount)) }, finished: isLast ? continuations : [])
    }
}
