import Synchronization

/// A task executor that runs jobs only on request, on one thread and in a deterministic order.
///
/// ```swift
/// let executor = ManualTaskExecutor()
/// let queue = BackendQueue(executor: executor)
/// queue.submit(operation, priority: .visible)
/// executor.runAll()
/// ```
public final class ManualTaskExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs all jobs in order of arrival, including those that they enqueue.
    public func runAll() {
        while case let batch = removeAll(), !batch.isEmpty {
            for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    private func removeAll() -> [UnownedJob] {
        jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
    }
}
