import Synchronization

/// A set of waiting tasks, each of which is resumed once, with the others or by its cancellation.
package final class TaskWaiters: Sendable {
    private struct State {
        var lastID = 0
        var continuations: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits until all waiting tasks are resumed or this one is cancelled.
    package nonisolated(nonsending) func wait() async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.continuations[id] = continuation
                    return false
                }
                if isCancelled { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.continuations.removeValue(forKey: id) }?.resume()
        }
    }

    /// Resumes all waiting tasks.
    package func resume() {
        let continuations = state.withLock { state in
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.resume() }
    }
}
