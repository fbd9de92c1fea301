import Synchronization

/// The retry observers and the last retry of an operation, allocated on first use.
final class RetryObservers: Sendable {
    typealias Observer = @Sendable (RetryEvent) -> Void

    private struct State {
        var last: RetryEvent?
        var observers: TinyArray<Observer> = []
    }

    private let state = Mutex(State())

    var last: RetryEvent? { state.withLock { $0.last } }

    func add(_ observer: @escaping Observer) { state.withLock { $0.observers.append(observer) } }

    /// Records a retry; returns whether there are observers.
    func record(_ event: RetryEvent, releasing released: inout ReleasedReferences) -> Bool {
        state.withLock { state in
            if let previous = state.last { released.append(previous) }
            state.last = event
            return !state.observers.isEmpty
        }
    }

    func notify(_ event: RetryEvent) {
        for observer in state.withLock({ $0.observers }) { observer(event) }
    }

    /// Removes and returns all observers.
    func close() -> TinyArray<Observer> {
        state.withLock { state in
            defer { state.observers = [] }
            return state.observers
        }
    }
}

extension AnyOperation {
    /// The last failed attempt of the work or of a dependency; nil when there was none.
    package var lastRetry: RetryEvent? {
        let (own, leader) = box.withLock { ($0.extras?.retryObservers, $0.extras?.leader) }
        return own?.last ?? leader?.lastRetry
    }

    func onRetry(_ observer: @escaping RetryObservers.Observer) {
        box.withLock { box in
            if box.completion == nil { box.makeRetryObservers().add(observer) }
        }
    }

    /// Records a retry, under the lock of the queue; returns whether there are observers.
    func recordRetry(_ event: RetryEvent, releasing released: inout ReleasedReferences) -> Bool {
        box.withLock { $0.makeRetryObservers() }.record(event, releasing: &released)
    }

    /// Notifies retry observers, outside the lock of the queue.
    func notifyRetryObservers(_ event: RetryEvent) {
        box.withLock { $0.extras?.retryObservers }?.notify(event)
    }
}

extension AnyOperation.Box {
    /// Returns the retry observers, which are created on first use.
    fileprivate mutating func makeRetryObservers() -> RetryObservers {
        let known = extras?.retryObservers ?? RetryObservers()
        updateExtras { $0.retryObservers = known }
        return known
    }
}
