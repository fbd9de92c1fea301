import Synchronization

/// What few operations ever have: setbacks, and somebody who wants to know of them.
final class RetryObservers: Sendable {
    typealias Observer = @Sendable (RetryEvent) -> Void

    private struct State {
        var last: RetryEvent?
        var observers: TinyArray<Observer> = []
    }

    private let state = Mutex(State())

    var last: RetryEvent? { state.withLock { $0.last } }

    func add(_ observer: @escaping Observer) { state.withLock { $0.observers.append(observer) } }

    /// Says whether there is anybody to tell.
    func record(_ event: RetryEvent) -> Bool {
        state.withLock { state in
            state.last = event
            return !state.observers.isEmpty
        }
    }

    func notify(_ event: RetryEvent) {
        for observer in state.withLock({ $0.observers }) { observer(event) }
    }

    /// Nothing more is told.
    func close() { state.withLock { $0.observers = [] } }
}

extension AnyOperation {
    /// The last setback of its work, or of anything that it waits for; nil when there was none.
    public var lastRetry: RetryEvent? {
        let (own, leader) = box.withLock { ($0.extras?.retryObservers, $0.extras?.leader) }
        return own?.last ?? leader?.lastRetry
    }

    func onRetry(_ observer: @escaping RetryObservers.Observer) {
        box.withLock { box in
            if box.completion == nil { box.makeRetryObservers().add(observer) }
        }
    }

    /// Keeps a setback, under the lock of the queue, and says whether there is anybody to tell.
    func recordRetry(_ event: RetryEvent) -> Bool {
        box.withLock { $0.makeRetryObservers() }.record(event)
    }

    /// Tells of a setback, without the lock of the queue.
    func notifyRetryObservers(_ event: RetryEvent) {
        box.withLock { $0.extras?.retryObservers }?.notify(event)
    }
}

extension AnyOperation.Box {
    /// Its setbacks, which it has from now on.
    fileprivate mutating func makeRetryObservers() -> RetryObservers {
        let known = extras?.retryObservers ?? RetryObservers()
        updateExtras { $0.retryObservers = known }
        return known
    }
}
