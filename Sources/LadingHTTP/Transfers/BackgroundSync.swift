import Synchronization

/// Makes sure of what a download has while more of it arrives: one claim at a time, so that a slow disk does not hold up the network.
final class BackgroundSync: Sendable {
    private struct State {
        var task: Task<Void, any Error>?
        var isBusy = false
    }

    private let state = Mutex(State())

    /// Begins a claim, unless one is under way: the next will be due soon.
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

    /// Waits for the claim under way; until the next begins nothing else is written.
    ///
    /// - Throws: What a claim has thrown.
    func waitForCompletion() async throws { try await state.withLock { $0.task }?.value }
}
