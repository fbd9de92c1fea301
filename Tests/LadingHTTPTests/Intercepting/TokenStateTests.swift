import Testing

@testable import LadingHTTP

@Suite struct TokenStateTests {
    private struct Unable: Error {}

    /// What a state answers to events, as text.
    private func told(_ token: String?, _ events: TokenState.Event...) -> [String] {
        var state = TokenState(token: token)
        return events.map { event in
            var effects: [TokenState.Effect] = []
            state.handle(event, effects: &effects)
            return effects.map(text).joined(separator: ", ")
        }
    }

    private func text(_ effect: TokenState.Effect) -> String {
        switch effect {
        case .proceed(let waiter, let token): "\(waiter) goes on with \(token)"
        case .fail(let waiter, _): "\(waiter) fails"
        case .fetch(let old): "fetch instead of \(old ?? "none")"
        }
    }

    @Test func `A token that nobody refused is handed on`() {
        #expect(told("a", .needs(1, refused: nil), .needs(2, refused: nil)) == ["1 goes on with a", "2 goes on with a"])
    }

    @Test func `Without a token the first who needs one has it fetched`() {
        #expect(
            told(nil, .needs(1, refused: nil), .needs(2, refused: nil), .fetched("a"), .needs(3, refused: nil))
                == ["fetch instead of none", "", "1 goes on with a, 2 goes on with a", "3 goes on with a"])
    }

    @Test func `All who were refused wait for one fetch, and so does who comes meanwhile`() {
        #expect(
            told("a", .needs(1, refused: "a"), .needs(2, refused: "a"), .needs(3, refused: nil), .fetched("b"))
                == ["fetch instead of a", "", "", "1 goes on with b, 2 goes on with b, 3 goes on with b"])
    }

    @Test func `Who was refused with an older token uses the newer`() {
        #expect(
            told("a", .needs(1, refused: "a"), .fetched("b"), .needs(2, refused: "a"), .needs(3, refused: "b"))
                == ["fetch instead of a", "1 goes on with b", "2 goes on with b", "fetch instead of b"])
    }

    @Test func `A fetch that fails fails all, and the next begins another`() {
        #expect(
            told("a", .needs(1, refused: "a"), .needs(2, refused: "a"), .failed(Unable()), .needs(3, refused: nil))
                == ["fetch instead of a", "", "1 fails, 2 fails", "fetch instead of a"])
    }

    @Test func `Who leaves is forgotten, and the others are served`() {
        #expect(
            told("a", .needs(1, refused: "a"), .needs(2, refused: "a"), .leaves(1), .leaves(7), .fetched("b"))
                == ["fetch instead of a", "", "", "", "2 goes on with b"])
    }
}
