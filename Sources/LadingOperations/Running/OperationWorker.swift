import Synchronization

/// A task that performs flights one after another.
///
/// Interrupting an operation cancels the task of its worker, which then accepts no further flight.
final class OperationWorker: Sendable {
    /// The number of flights after which the worker yields its thread to other tasks.
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

    /// Sets the task, which may already be running.
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
