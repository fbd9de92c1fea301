import Observers
import Synchronization

/// A state that a test sets, with any number of observers.
final class ManualState<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var observers = Observers<Value>()
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    var value: Value { state.withLock { $0.value } }

    /// Returns the current value, then each change. A slow reader receives only the newest value.
    func values() -> AsyncStream<Value> {
        state.withLock { $0.observers.add(bufferingPolicy: .bufferingNewest(1), first: $0.value) }
    }

    func set(_ value: Value) {
        state.withLock { state in
            guard state.value != value else { return }
            state.value = value
            state.observers.send(value)
        }
    }
}
