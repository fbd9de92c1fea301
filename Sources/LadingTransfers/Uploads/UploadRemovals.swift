import Synchronization
import Timing

/// The requests in progress that remove unfinished uploads at their servers. No transfer waits for them, and they may fail: servers discard
/// unfinished uploads sooner or later.
final class UploadRemovals: Sendable {
    /// The maximum number of requests; another one cancels the oldest.
    private static let limit = 16

    private struct State {
        var lastID = 0
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    func begin(_ removal: @escaping @Sendable () async -> Void) {
        let surplus = state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            let oldest = state.tasks.count < Self.limit ? nil : state.tasks.keys.min()
            state.tasks[id] = Task {
                await removal()
                self.state.withLock { _ = $0.tasks.removeValue(forKey: id) }
            }
            return oldest.flatMap { state.tasks.removeValue(forKey: $0) }
        }
        surplus?.cancel()
    }

    /// Waits for all requests, at most for a duration on the clock of a stopwatch, and then cancels the remaining ones.
    func finish(within limit: Duration, on stopwatch: Stopwatch) async {
        let tasks = state.withLock { Array($0.tasks.values) }
        guard !tasks.isEmpty else { return }
        let (end, continuation) = AsyncStream<Void>.makeStream()
        // It may outlive this call, as a request may ignore its cancellation.
        Task {
            for task in tasks { await task.value }
            continuation.finish()
        }
        let timer = Task {
            try? await stopwatch.sleep(limit)
            continuation.finish()
        }
        for await _ in end {}
        timer.cancel()
        for task in tasks { task.cancel() }
    }
}
