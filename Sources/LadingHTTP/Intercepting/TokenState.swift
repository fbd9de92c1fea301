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
        case needs(Waiter, refused: String?)
        case fetched(String)
        case failed(any Error)
        /// Somebody no longer waits.
        case leaves(Waiter)
    }

    enum Effect {
        case proceed(Waiter, token: String)
        case fail(Waiter, any Error)
        /// To fetch a new token; with the one that is of no use any more, if there was one.
        case fetch(replacing: String?)
    }

    private var token: String?
    private var isUseless: Bool
    private var isFetching = false
    private var waiting: [Waiter] = []

    init(token: String?) {
        self.token = token
        isUseless = token == nil
    }

    /// The token, unless it is of no use.
    var known: String? { isUseless ? nil : token }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .needs(let waiter, let refused):
            if !isUseless, let token, token != refused {
                effects.append(.proceed(waiter, token: token))
            } else {
                waiting.append(waiter)
                if !isFetching { effects.append(.fetch(replacing: token)) }
                (isUseless, isFetching) = (true, true)
            }
        case .fetched(let new):
            (token, isUseless, isFetching) = (new, false, false)
            effects += waiting.map { .proceed($0, token: new) }
            waiting = []
        case .failed(let error):
            isFetching = false
            effects += waiting.map { .fail($0, error) }
            waiting = []
        case .leaves(let waiter):
            waiting.removeAll { $0 == waiter }
        }
    }
}
