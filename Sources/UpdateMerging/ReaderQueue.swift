import Synchronization

/// A queue of tasks that read updates one after the other, because updates have one reader at a time.
package final class ReaderQueue: Sendable {
    private struct State {
        var lastID = 0
        var isReading = false
        /// The waiting tasks in the order of their calls.
        var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits until all earlier tasks have ended; false if the task is cancelled before. After true the task must call `end()`.
    package nonisolated(nonsending) func begin() async -> Bool {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let immediate = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.isReading {
                        state.waiting.append((id, continuation))
                        return nil
                    }
                    state.isReading = true
                    return true
                }
                if let immediate { continuation.resume(returning: immediate) }
            }
        } onCancel: {
            let cancelled = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
            }
            cancelled?.resume(returning: false)
        }
    }

    /// Lets the next task read.
    package func end() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.isReading = false
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
