import Observers
import Synchronization

/// A state that a test sets, with any number of observers.
final class ManualState<Value: Equatable & Sendable>: Sendable {
    private let observers = Observers<Value>()
    private let state: Mutex<Value>

    init(_ value: Value) {
        state = Mutex(value)
    }

    var value: Value { state.withLock { $0 } }

    /// Returns the current value, then each change. A slow reader receives only the newest value.
    func values() -> AsyncStream<Value> {
        state.withLock { observers.add(bufferingPolicy: .bufferingNewest(1), first: $0) }
    }

    func set(_ value: Value) {
        state.withLock { state in
            guard state != value else { return }
            state = value
            observers.append(value)
        }
        observers.deliver()
    }
}
