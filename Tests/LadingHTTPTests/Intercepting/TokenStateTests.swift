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
        case .fetch(let number, let old): "fetch \(number) instead of \(old ?? "none")"
        }
    }

    @Test func `A valid token is returned to each waiter`() {
        #expect(effects(of: "a", .requested(1, rejected: nil), .requested(2, rejected: nil)) == ["1 goes on with a", "2 goes on with a"])
    }

    @Test func `Without a token the first waiter starts a fetch`() {
        #expect(
            effects(of: nil, .requested(1, rejected: nil), .requested(2, rejected: nil), .fetched(1, "a"), .requested(3, rejected: nil))
                == ["fetch 1 instead of none", "", "1 goes on with a, 2 goes on with a", "3 goes on with a"])
    }

    @Test func `Rejected and new waiters share one fetch`() {
        #expect(
            effects(of: "a", .requested(1, rejected: "a"), .requested(2, rejected: "a"), .requested(3, rejected: nil), .fetched(1, "b"))
                == ["fetch 1 instead of a", "", "", "1 goes on with b, 2 goes on with b, 3 goes on with b"])
    }

    @Test func `A waiter rejected with an older token receives the current one`() {
        #expect(
            effects(of: "a", .requested(1, rejected: "a"), .fetched(1, "b"), .requested(2, rejected: "a"), .requested(3, rejected: "b"))
                == ["fetch 1 instead of a", "1 goes on with b", "2 goes on with b", "fetch 2 instead of b"])
    }

    @Test func `A failed fetch fails all waiters, and the next one starts another`() {
        #expect(
            effects(
                of: "a", .requested(1, rejected: "a"), .requested(2, rejected: "a"), .failed(1, FetchFailed()), .requested(3, rejected: nil)
            )
                == ["fetch 1 instead of a", "", "1 fails, 2 fails", "fetch 2 instead of a"])
    }

    @Test func `A cancelled waiter is removed, and the others receive the token`() {
        #expect(
            effects(of: "a", .requested(1, rejected: "a"), .requested(2, rejected: "a"), .cancelled(1), .cancelled(7), .fetched(1, "b"))
                == ["fetch 1 instead of a", "", "", "", "2 goes on with b"])
    }

    @Test func `A replaced token is returned to later waiters, also to those rejected with the former`() {
        #expect(
            effects(of: "a", .replaced("b"), .requested(1, rejected: nil), .requested(2, rejected: "a"), .requested(3, rejected: "b"))
                == ["", "1 goes on with b", "2 goes on with b", "fetch 1 instead of b"])
    }

    @Test func `Without a token after signing out, the next waiter starts a fetch`() {
        #expect(
            effects(of: "a", .replaced(nil), .requested(1, rejected: "a"), .fetched(1, "b"))
                == ["", "fetch 1 instead of none", "1 goes on with b"])
    }

    @Test func `Waiters receive the token of a new user, and the fetch for the former one has no effect`() {
        #expect(
            effects(
                of: "a", .requested(1, rejected: "a"), .requested(2, rejected: nil), .replaced("b"), .fetched(1, "a2"),
                .failed(1, FetchFailed()), .requested(3, rejected: nil))
                == ["fetch 1 instead of a", "", "1 goes on with b, 2 goes on with b", "", "", "3 goes on with b"])
    }

    @Test func `Waiters of a user who signs out wait for a fetch of their own`() {
        #expect(
            effects(
                of: "a", .requested(1, rejected: "a"), .replaced(nil), .requested(2, rejected: nil), .fetched(1, "a2"),
                .failed(1, FetchFailed()), .fetched(2, "b"))
                == ["fetch 1 instead of a", "fetch 2 instead of none", "", "", "", "1 goes on with b, 2 goes on with b"])
    }

    @Test func `Without waiters a fetch for a user who signs out has no successor`() {
        #expect(
            effects(of: "a", .requested(1, rejected: "a"), .cancelled(1), .replaced(nil), .fetched(1, "a2"), .requested(2, rejected: nil))
                == ["fetch 1 instead of a", "", "", "", "fetch 2 instead of none"])
    }

    @Test func `A token is cached unless it was rejected or removed`() {
        var state = TokenState(token: "a")
        var effects: [TokenState.Effect] = []
        var cached = [state.cachedToken]

        for event in [.replaced("b"), .requested(1, rejected: "b"), .replaced("c"), .replaced(nil)] as [TokenState.Event] {
            state.handle(event, effects: &effects)
            cached.append(state.cachedToken)
        }

        #expect(cached == ["a", "b", nil, "c", nil])
    }
}
