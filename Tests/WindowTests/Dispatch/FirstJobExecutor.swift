import Synchronization

/// A task executor that runs the first job of its task only on request, and the later ones as usual, so that the beginning of a task has an order.
final class FirstJobExecutor: TaskExecutor {
    private struct State {
        var first: UnownedJob?
        var hasFirst = false
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            guard !state.hasFirst else { return false }
            (state.first, state.hasFirst) = (job, true)
            return true
        }
        if !isFirst { globalConcurrentExecutor.enqueue(job) }
    }

    /// Runs the task until it waits for the first time.
    func runFirst() { state.withLock { $0.first.take() }?.runSynchronously(on: asUnownedTaskExecutor()) }
}
