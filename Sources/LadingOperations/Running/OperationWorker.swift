import Synchronization

/// A task that performs one operation after the other.
///
/// An operation that is interrupted cancels the task of its worker, which then takes no other.
final class OperationWorker: Sendable {
    /// After how many operations it lets other tasks have the thread.
    static let yieldInterval = 64

    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    let queue: BackendQueue
    private let state = Mutex(State())

    init(in queue: BackendQueue) {
        self.queue = queue
    }

    /// Hands over the task, which may be running already.
    func setTask(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
