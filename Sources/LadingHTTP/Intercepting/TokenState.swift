import LadingOperations

/// Decides who may go on with which token, and when a new one is fetched: once for all who need it.
///
/// | state | somebody needs one | fetched | failed |
/// |---|---|---|---|
/// | good: a token | goes on with it; who was refused with this very one begins a fetch and waits | | |
/// | useless: none, or one that was refused | begins a fetch and waits | | |
/// | fetching | waits | good; all go on with the new one | useless; all fail |
struct TokenState: Decision {
    /// Somebody who waits for a token.
    typealias Waiter = Int

    enum Event {
        /// Somebody needs a token; with the one that was refused, if any.
        case requested(Waiter, rejected: String?)
        case fetched(String)
        case failed(any Error)
        /// Somebody no longer waits.
        case cancelled(Waiter)
    }

    enum Effect {
        case succeed(Waiter, token: String)
        case fail(Waiter, any Error)
        /// To fetch a new token; with the one that is of no use any more, if there was one.
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

    /// The token, unless it is of no use.
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
