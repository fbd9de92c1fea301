import Synchronization

/// A value whose changes can be awaited.
package final class ObservableValue<Value: Sendable>: Sendable {
    private struct Waiter {
        var id: Int
        var isSatisfied: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var lastID = 0
        /// The ids of waiters that were cancelled before they were registered.
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    package var value: Value { state.withLock { $0.value } }

    package func change(_ body: (inout Value) -> Void) {
        let satisfied = state.withLock { state in
            body(&state.value)
            let value = state.value
            defer { state.waiters.removeAll { $0.isSatisfied(value) } }
            return state.waiters.filter { $0.isSatisfied(value) }
        }
        for watcher in satisfied { watcher.continuation.resume() }
    }

    /// Waits until the value satisfies a condition.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    package func wait(until isSatisfied: @escaping @Sendable (Value) -> Bool) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { register(Waiter(id: id, isSatisfied: isSatisfied, continuation: $0)) }
        } onCancel: {
            cancel(id)
        }
    }

    private func register(_ watcher: Waiter) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.remove(watcher.id) != nil { return .failure(CancellationError()) }
            if watcher.isSatisfied(state.value) { return .success(()) }
            state.waiters.append(watcher)
            return nil
        }
        if let result { watcher.continuation.resume(with: result) }
    }

    private func cancel(_ id: Int) {
        let watcher = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        watcher?.continuation.resume(throwing: CancellationError())
    }
}

extension ObservableValue where Value: Equatable {
    /// The time without a change after which a value counts as stable.
    private static var stablePeriod: Duration { .milliseconds(300) }

    /// Waits until the value satisfies a condition and then stops changing.
    package func waitUntilStable(_ isSatisfied: @escaping @Sendable (Value) -> Bool) async throws {
        try await wait(until: isSatisfied)
        var last = value
        while true {
            try await Task.sleep(for: Self.stablePeriod)
            guard value != last else { return }
            last = value
        }
    }
}
