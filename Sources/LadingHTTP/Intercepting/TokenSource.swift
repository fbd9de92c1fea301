import Synchronization

/// A source of one token for all requests, which share each fetch.
package final class TokenSource: Sendable {
    private struct State {
        var decision: TokenState
        var lastWaiter = 0
        var continuations: [TokenState.Waiter: CheckedContinuation<String, any Error>] = [:]
    }

    private let fetch: @Sendable (_ old: String?) async throws -> String
    private let state: Mutex<State>

    package init(_ token: String?, fetch: @escaping @Sendable (_ old: String?) async throws -> String) {
        self.fetch = fetch
        state = Mutex(State(decision: TokenState(token: token)))
    }

    /// The current token; nil without one, or when it was rejected.
    var cachedToken: String? { state.withLock { $0.decision.cachedToken } }

    /// Replaces the token; nil for none. The result of a fetch in progress is ignored.
    func setToken(_ token: String?) { handle(.replaced(token)) }

    /// Returns a valid token.
    ///
    /// - Parameter refused: The rejected token, if any.
    /// - Throws: Errors of the fetch, and `CancellationError` when the task is cancelled while it waits.
    package func token(replacing refused: String? = nil) async throws -> String {
        try Task.checkCancellation()
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.continuations[waiter] = continuation }
                handle(.requested(waiter, rejected: refused))
                // The task may have been cancelled before its continuation was stored.
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
        case .fetch(let number, let old):
            // The task is never cancelled; it is bounded by the duration of the fetch closure.
            Task {
                do { handle(.fetched(number, try await fetch(old))) } catch { handle(.failed(number, error)) }
            }
        }
    }
}
