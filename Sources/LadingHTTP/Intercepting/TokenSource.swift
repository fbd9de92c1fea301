import Synchronization

/// Hands a token to all who need one, and fetches another once for all of them.
final class TokenSource: Sendable {
    private struct State {
        var decision: TokenState
        var lastWaiter = 0
        var continuations: [TokenState.Waiter: CheckedContinuation<String, any Error>] = [:]
    }

    private let fetch: @Sendable (_ old: String?) async throws -> String
    private let state: Mutex<State>

    init(_ token: String?, fetch: @escaping @Sendable (_ old: String?) async throws -> String) {
        self.fetch = fetch
        state = Mutex(State(decision: TokenState(token: token)))
    }

    /// The token that is at hand; nil when there is none, or it was refused.
    var cachedToken: String? { state.withLock { $0.decision.cachedToken } }

    /// The token that is good now.
    ///
    /// - Parameter refused: One that is known to be of no use.
    /// - Throws: What fetching throws, and `CancellationError` when the task is cancelled while it waits.
    func token(replacing refused: String? = nil) async throws -> String {
        try Task.checkCancellation()
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.continuations[waiter] = continuation }
                handle(.requested(waiter, rejected: refused))
                // Cancellation may have come before there was anything to resume.
                if Task.isCancelled { cancel(waiter) }
            }
        } onCancel: {
            cancel(waiter)
        }
    }

    private func cancel(_ waiter: TokenState.Waiter) {
        handle(.cancelled(waiter))
        state.withLock { $0.continuations.removeValue(forKey: waiter) }?.resume(throwing: CancellationError())
    }

    private func handle(_ event: TokenState.Event) {
        let effects = state.withLock { state in
            var effects: [TokenState.Effect] = []
            state.decision.handle(event, effects: &effects)
            return effects
        }
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: TokenState.Effect) {
        switch effect {
        case .succeed(let waiter, let token):
            state.withLock { $0.continuations.removeValue(forKey: waiter) }?.resume(returning: token)
        case .fail(let waiter, let error):
            state.withLock { $0.continuations.removeValue(forKey: waiter) }?.resume(throwing: error)
        case .fetch(let old):
            // Nobody cancels it: it ends by itself, and whoever fetches bounds its time.
            Task {
                do { handle(.fetched(try await fetch(old))) } catch { handle(.failed(error)) }
            }
        }
    }
}
