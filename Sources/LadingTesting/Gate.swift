import Synchronization

/// A gate that suspends tasks until it is opened.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var lastID = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// The ids of tasks that were cancelled before they were registered.
        var cancelled: Set<Int> = []
        /// The observers that wait for a number of waiters.
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Removes and returns the observers whose count is reached.
        mutating func removeSatisfiedObservers() -> [CheckedContinuation<Void, Never>] {
            let satisfied = observers.filter { $0.count <= waiters.count }.map(\.continuation)
            observers.removeAll { $0.count <= waiters.count }
            return satisfied
        }
    }

    private let state = Mutex(State())

    public init() {}

    /// The number of tasks that wait at the gate.
    public var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Waits until at least this number of tasks wait at the gate. It ignores cancellation.
    public nonisolated(nonsending) func waitForWaiters(count: Int) async {
        await withCheckedContinuation { continuation in
            let satisfied = state.withLock { state in
                state.observers.append((count, continuation))
                return state.removeSatisfiedObservers()
            }
            for watcher in satisfied { watcher.resume() }
        }
    }

    /// Opens the gate permanently.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.sorted { $0.key < $1.key }
        }
        for (_, continuation) in waiting { continuation.resume() }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    public nonisolated(nonsending) func wait() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in register(id, continuation) }
        } onCancel: {
            cancel(id)
        }
    }

    private func register(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        let (result, watchers) = state.withLock { state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
            if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
            if state.isOpen { return (.success(()), []) }
            state.waiters[id] = continuation
            return (nil, state.removeSatisfiedObservers())
        }
        if let result { continuation.resume(with: result) }
        for watcher in watchers { watcher.resume() }
    }

    private func cancel(_ id: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiters.removeValue(forKey: id)
            if continuation == nil { state.cancelled.insert(id) }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
