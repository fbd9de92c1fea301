import Synchronization

/// The observers of a value, each of which reads a sequence of its own. The sequences end when their owner is deallocated.
///
/// An owner may record elements under its lock, and sends them under none, in the same order: a reader whose task is being cancelled may be waiting for
/// that lock in its cancellation handler, and sending to it waits for this handler.
package final class Observers<Element: Sendable>: Sendable {
    private typealias Continuation = AsyncStream<Element>.Continuation

    private struct State {
        var continuations: [Int: Continuation] = [:]
        var lastNumber = 0
        /// The recorded elements, each with its observers: later ones do not receive it.
        var pending: [(element: Element, observers: [Continuation])] = []
        var deliveryRight = DeliveryRight()

        /// Returns the elements to send; nil if there are none, or if another thread sends them.
        mutating func nextDelivery(isHolder: inout Bool) -> [(element: Element, observers: [Continuation])]? {
            guard deliveryRight.acquire(if: !pending.isEmpty, isHolder: &isHolder) else { return nil }
            defer { pending = [] }
            return pending
        }
    }

    private let state = Mutex(State())

    package init() {}

    deinit {
        // A continuation that is dropped does not end its sequence.
        for observer in state.withLock({ Array($0.continuations.values) }) { observer.finish() }
    }

    /// The number of observers.
    var count: Int { state.withLock { $0.continuations.count } }

    /// Adds an observer, and returns the sequence that it reads. It may be called under a lock.
    ///
    /// - Parameter first: The first element of the sequence; nil if there is none yet.
    package func add(
        bufferingPolicy policy: AsyncStream<Element>.Continuation.BufferingPolicy, first: Element? = nil
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
        if let first { continuation.yield(first) }
        let number = state.withLock { state in
            state.lastNumber += 1
            state.continuations[state.lastNumber] = continuation
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) } }
        return stream
    }

    /// Records an element for the present observers. It may be called under a lock; `deliver` must follow.
    package func append(_ element: Element) {
        state.withLock { state in
            guard !state.continuations.isEmpty else { return }
            state.pending.append((element, Array(state.continuations.values)))
        }
    }

    /// Sends the recorded elements. It must not be called under a lock that a reader may wait for.
    package func deliver() {
        var isHolder = false
        while let delivery = state.withLock({ $0.nextDelivery(isHolder: &isHolder) }) {
            for (element, observers) in delivery {
                for observer in observers { observer.yield(element) }
            }
        }
    }

    /// Sends an element to the present observers. It must not be called under a lock that a reader may wait for.
    package func send(_ element: Element) {
        append(element)
        deliver()
    }
}
