import Synchronization

/// A task executor that runs its jobs one at a time, on one thread and in order of arrival.
final class SteppingExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs the oldest job. Returns false without jobs.
    @discardableResult
    func runNext() -> Bool {
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    func runAll() {
        while runNext() {}
    }

    /// Runs at most a number of jobs, for work that might not end.
    func run(atMost limit: Int) {
        for _ in 0..<limit {
            guard runNext() else { return }
        }
    }
}
