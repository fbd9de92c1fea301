import Synchronization

/// A task that performs one operation after the other.
///
/// An operation that is interrupted cancels the task of its worker, which then takes no other.
final class OperationWorker: Sendable {
    /// After how many operations it lets other tasks have the thread.
    static let turns = 64

    private struct State {
        var flight: FlightID?
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let queue: BackendQueue
    private let state = Mutex(State())

    init(in queue: BackendQueue) {
        self.queue = queue
    }

    /// It does the work of this flight from now on.
    func take(_ flight: FlightID) {
        state.withLock { $0.flight = flight }
    }

    /// So many bytes are still to come in the work that it does.
    func noteRest(_ bytes: Int) {
        guard let flight = state.withLock({ $0.flight }) else { return }
        queue.noteRest(bytes, of: flight)
    }

    /// Hands over the task, which may be running already.
    func adopt(_ task: Task<Void, Never>) {
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
