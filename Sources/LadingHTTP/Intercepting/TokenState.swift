import Decisions

/// The decisions about a shared token: which waiters receive it, and when a new one is fetched, once for all of them.
///
/// | state | requested | fetched | failed | replaced |
/// |---|---|---|---|---|
/// | valid | succeed; a waiter that was rejected with this token fetches and waits | | | → valid or invalid |
/// | invalid: no token, or a rejected one | fetch and wait | | | → valid or invalid |
/// | fetching | wait | → valid; all succeed with the new token | → invalid; all fail | → valid; all succeed with the token. Without one: fetch again |
///
/// Results of a fetch that began before the token was replaced have no effect.
struct TokenState: Decision {
    /// The identifier of a request that waits for a token.
    typealias Waiter = Int

    enum Event {
        /// A request needs a token; `rejected` is the one that the server rejected, if any.
        case requested(Waiter, rejected: String?)
        /// The fetch with this number has returned a token.
        case fetched(Int, String)
        case failed(Int, any Error)
        /// The user has signed in with a token, or out.
        case replaced(String?)
        /// A request no longer waits.
        case cancelled(Waiter)
    }

    enum Effect {
        case succeed(Waiter, token: String)
        case fail(Waiter, any Error)
        /// Fetch a new token in place of the invalid one, if any, as the fetch with this number.
        case fetch(Int, replacing: String?)
    }

    private var token: String?
    private var isInvalid: Bool
    /// The number of the fetch in progress whose result is used; nil without one.
    private var fetchNumber: Int?
    private var lastFetchNumber = 0
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
            if !isInvalid, let token, token != refused { return effects.append(.succeed(waiter, token: token)) }
            waiters.append(waiter)
            isInvalid = true
            if fetchNumber == nil { startFetch(&effects) }
        case .fetched(let number, let new):
            if number == fetchNumber { use(new, &effects) }
        case .failed(let number, let error):
            guard number == fetchNumber else { return }
            fetchNumber = nil
            effects += waiters.map { .fail($0, error) }
            waiters = []
        case .replaced(let new?): use(new, &effects)
        case .replaced(nil):
            (token, isInvalid, fetchNumber) = (nil, true, nil)
            if !waiters.isEmpty { startFetch(&effects) }
        case .cancelled(let waiter):
            waiters.removeAll { $0 == waiter }
        }
    }

    private mutating func startFetch(_ effects: inout [Effect]) {
        lastFetchNumber += 1
        fetchNumber = lastFetchNumber
        effects.append(.fetch(lastFetchNumber, replacing: token))
    }

    private mutating func use(_ new: String, _ effects: inout [Effect]) {
        (token, isInvalid, fetchNumber) = (new, false, nil)
        effects += waiters.map { .succeed($0, token: new) }
        waiters = []
    }
}
