import Synchronization

/// A task executor that runs nothing until told to: one thread, one order, the same every time.
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

    /// Runs the jobs in order of arrival, those that they add included, until none is left.
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
