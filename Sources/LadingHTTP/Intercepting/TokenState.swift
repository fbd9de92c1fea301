import Decisions

/// The decisions about a shared token: which waiters receive it, and when a new one is fetched, once for all of them.
///
/// | state | requested | fetched | failed |
/// |---|---|---|---|
/// | valid | succeed; a waiter that was rejected with this token fetches and waits | | |
/// | invalid: no token, or a rejected one | fetch and wait | | |
/// | fetching | wait | → valid; all succeed with the new token | → invalid; all fail |
struct TokenState: Decision {
    /// The identifier of a request that waits for a token.
    typealias Waiter = Int

    enum Event {
        /// A request needs a token; `rejected` is the one that the server rejected, if any.
        case requested(Waiter, rejected: String?)
        case fetched(String)
        case failed(any Error)
        /// A request no longer waits.
        case cancelled(Waiter)
    }

    enum Effect {
        case succeed(Waiter, token: String)
        case fail(Waiter, any Error)
        /// Fetch a new token in place of the invalid one, if any.
        case fetch(replacing: String?)
    }

    private var token: String?
    private var isInvalid: Bool
    private var isFetching = false
    private var waiters: [Waiter] = []

    init(token: String?) {
        self.token = token
        isInvalid = token == nil
    }

    /// The token, unless it is invalid.
    var cachedToken: String? { isInvalid ? nil : token }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .requested(let waiter, let refused):
            if !isInvalid, let token, token != refused {
                effects.append(.succeed(waiter, token: token))
            } else {
                waiters.append(waiter)
                if !isFetching { effects.append(.fetch(replacing: token)) }
                (isInvalid, isFetching) = (true, true)
            }
        case .fetched(let new):
            (token, isInvalid, isFetching) = (new, false, false)
            effects += waiters.map { .succeed($0, token: new) }
            waiters = []
        case .failed(let error):
            isFetching = false
            effects += waiters.map { .fail($0, error) }
            waiters = []
        case .cancelled(let waiter):
            waiters.removeAll { $0 == waiter }
        }
    }
}
