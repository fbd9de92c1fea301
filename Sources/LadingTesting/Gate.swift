import Synchronization

/// A gate that lets nobody pass until it is opened, and everybody afterwards.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Those who were cancelled before they reached the gate.
        var cancelled: Set<Int> = []
        /// Those who watch for a number of people to wait.
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// The watchers who have seen enough.
        mutating func takeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
            let satisfied = watchers.filter { $0.count <= waiting.count }.map(\.continuation)
            watchers.removeAll { $0.count <= waiting.count }
            return satisfied
        }
    }

    private let state = Mutex(State())

    public init() {}

    /// How many wait in front of it.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits until this many wait in front of it.
    public nonisolated(nonsending) func waiting(for count: Int) async {
        await withCheckedContinuation { continuation in
            let satisfied = state.withLock { state in
                state.watchers.append((count, continuation))
                return state.takeSatisfiedWatchers()
            }
            for watcher in satisfied { watcher.resume() }
        }
    }

    /// Opens the gate for good.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.sorted { $0.key < $1.key }
        }
        for (_, continuation) in waiting { continuation.resume() }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    public nonisolated(nonsending) func pass() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in wait(id, continuation) }
        } onCancel: {
            cancel(id)
        }
    }

    private func wait(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        let (result, watchers) = state.withLock { state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
            if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
            if state.isOpen { return (.success(()), []) }
            state.waiting[id] = continuation
            return (nil, state.takeSatisfiedWatchers())
        }
        if let result { continuation.resume(with: result) }
        for watcher in watchers { watcher.resume() }
    }

    private func cancel(_ id: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: id)
            if continuation == nil { state.cancelled.insert(id) }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
