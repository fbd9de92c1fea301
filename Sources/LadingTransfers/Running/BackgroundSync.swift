import Synchronization

/// A background sync of a download, one at a time, so that a slow disk does not block the network.
final class BackgroundSync: Sendable {
    private struct State {
        var task: Task<Void, any Error>?
        var isBusy = false
    }

    private let state = Mutex(State())

    /// Starts a sync unless one is in progress: the next will be due soon.
    func begin(_ sync: @escaping @Sendable () async throws -> Void) {
        state.withLock { state in
            guard !state.isBusy else { return }
            state.isBusy = true
            let previous = state.task
            state.task = Task {
                defer { self.state.withLock { $0.isBusy = false } }
                try await previous?.value
                try await sync()
            }
        }
    }

    /// Waits for the sync in progress. No other write happens until the next `begin`.
    ///
    /// - Throws: The error of a sync.
    func waitForCompletion() async throws { try await state.withLock { $0.task }?.value }
}
