import Testing

@testable import LadingHTTP

@Suite struct TokenStateTests {
    private struct FetchFailed: Error {}

    /// Returns the effects of events on a state, as text.
    private func effects(of token: String?, _ events: TokenState.Event...) -> [String] {
        var state = TokenState(token: token)
        return events.map { event in
            var effects: [TokenState.Effect] = []
            state.handle(event, effects: &effects)
            return effects.map(text).joined(separator: ", ")
        }
    }

    private func text(_ effect: TokenState.Effect) -> String {
        switch effect {
        case .succeed(let waiter, let token): "\(waiter) goes on with \(token)"
        case .fail(let waiter, _): "\(waiter) fails"
        case .fetch(let old): "fetch instead of \(old ?? "none")"
        }
    }

    @Test func `A valid token is returned to each waiter`() {
        #expect(effects(of: "a", .requested(1, rejected: nil), .requested(2, rejected: nil)) == ["1 goes on with a", "2 goes on with a"])
    }

    @Test func `Without a token the first waiter starts a fetch`() {
        #expect(
            effects(of: nil, .requested(1, rejected: nil), .requested(2, rejected: nil), .fetched("a"), .requested(3, rejected: nil))
                == ["fetch instead of none", "", "1 goes on with a, 2 goes on with a", "3 goes on with a"])
    }

    @Test func `Rejected and new waiters share one fetch`() {
        #expect(
            effects(of: "a", .requested(1, rejected: "a"), .requested(2, rejected: "a"), .requested(3, rejected: nil), .fetched("b"))
                == ["fetch instead of a", "", "", "1 goes on with b, 2 goes on with b, 3 goes on with b"])
    }

    @Test func `A waiter rejected with an older token receives the current one`() {
        #expect(
            effects(of: "a", .requested(1, rejected: "a"), .fetched("b"), .requested(2, rejected: "a"), .requested(3, rejected: "b"))
                == ["fetch instead of a", "1 goes on with b", "2 goes on with b", "fetch instead of b"])
    }

    @Test func `A failed fetch fails all waiters, and the next one starts another`() {
        #expect(
            effects(
                of: "a", .requested(1, rejected: "a"), .requested(2, rejected: "a"), .failed(FetchFailed()), .requested(3, rejected: nil))
                == ["fetch instead of a", "", "1 fails, 2 fails", "fetch instead of a"])
    }

    @Test func `A cancelled waiter is removed, and the others receive the token`() {
        #expect(
            effects(of: "a", .requested(1, rejected: "a"), .requested(2, rejected: "a"), .cancelled(1), .cancelled(7), .fetched("b"))
                == ["fetch instead of a", "", "", "", "2 goes on with b"])
    }
}
