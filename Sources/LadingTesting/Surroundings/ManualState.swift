import Synchronization

/// A state that a test sets, with any number of observers.
final class ManualState<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var lastID = 0
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    var value: Value { state.withLock { $0.value } }

    /// Returns the current value, then each change. A slow reader receives only the newest value.
    func values() -> AsyncStream<Value> {
        let (stream, reader) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastID += 1
            state.readers[state.lastID] = reader
            reader.yield(state.value)
            return state.lastID
        }
        reader.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.readers.removeValue(forKey: id) } }
        return stream
    }

    func set(_ value: Value) {
        state.withLock { state in
            guard state.value != value else { return }
            state.value = value
            for reader in state.readers.values { reader.yield(value) }
        }
    }
}
