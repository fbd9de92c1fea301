import Synchronization

/// A set of waiting tasks, each of which is resumed once, with the others or by its cancellation.
package final class TaskWaiters: Sendable {
    private struct State {
        var lastID = 0
        /// The number of calls of `resume()`.
        var resumeCount = 0
        var continuations: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits until all waiting tasks are resumed or this one is cancelled.
    ///
    /// The wait begins with the call, on the actor of the caller: a call of `resume()` from then on ends it.
    package nonisolated(nonsending) func wait() async {
        let (id, resumeCount) = state.withLock { state in
            state.lastID += 1
            return (state.lastID, state.resumeCount)
        }
        // The handler leaves the actor, which may then resume the waiting tasks before the continuation is stored.
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isOver = state.withLock { state in
                    if Task.isCancelled || state.resumeCount != resumeCount { return true }
                    state.continuations[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.continuations.removeValue(forKey: id) }?.resume()
        }
    }

    /// Resumes all waiting tasks.
    package func resume() {
        let continuations = state.withLock { state in
            state.resumeCount += 1
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.resume() }
    }
}
