import Synchronization

/// What few operations ever have: setbacks, and somebody who wants to know of them.
final class Setbacks: Sendable {
    typealias Observer = @Sendable (OperationSetback) -> Void

    private struct State {
        var last: OperationSetback?
        var observers: ShortList<Observer> = []
    }

    private let state = Mutex(State())

    var last: OperationSetback? { state.withLock { $0.last } }

    func add(_ observer: @escaping Observer) { state.withLock { $0.observers.append(observer) } }

    /// Says whether there is anybody to tell.
    func note(_ setback: OperationSetback) -> Bool {
        state.withLock { state in
            state.last = setback
            return !state.observers.isEmpty
        }
    }

    func announce(_ setback: OperationSetback) {
        for observer in state.withLock({ $0.observers }) { observer(setback) }
    }

    /// Nothing more is told.
    func close() { state.withLock { $0.observers = [] } }
}

extension AnyOperation {
    /// The last setback of its work, or of anything that it waits for; nil when there was none.
    public var setback: OperationSetback? {
        let (own, leader) = box.withLock { ($0.extras?.setbacks, $0.extras?.leader) }
        return own?.last ?? leader?.setback
    }

    func onSetback(_ observer: @escaping Setbacks.Observer) {
        box.withLock { box in
            if box.end == nil { box.setbacks().add(observer) }
        }
    }

    /// Keeps a setback, under the lock of the queue, and says whether there is anybody to tell.
    func note(_ setback: OperationSetback) -> Bool {
        box.withLock { $0.setbacks() }.note(setback)
    }

    /// Tells of a setback, without the lock of the queue.
    func announce(_ setback: OperationSetback) {
        box.withLock { $0.extras?.setbacks }?.announce(setback)
    }
}

extension AnyOperation.Box {
    /// Its setbacks, which it has from now on.
    fileprivate mutating func setbacks() -> Setbacks {
        let known = extras?.setbacks ?? Setbacks()
        extend { $0.setbacks = known }
        return known
    }
}
