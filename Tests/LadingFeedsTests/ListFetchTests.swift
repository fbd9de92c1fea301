import LadingOperations
import Testing

@testable import LadingFeeds

/// The states, errors and effects of a fetch, as tables of events.
@Suite struct ListFetchTests {
    private typealias Fetch = ListFetch<LetterFeed>

    private struct Broken: Error {}

    private static let start = Fetch.Event.start(LetterFeed().list())
    private static let unknown = Fetch.Event.cancelled(isListKnown: false)
    private static let known = Fetch.Event.cancelled(isListKnown: true)

    /// Returns descriptions of the state, the error and the effects after each event.
    private func steps(isListKnown: Bool = false, _ events: [Fetch.Event]) -> [String] {
        var fetch = Fetch(isListKnown: isListKnown)
        return events.map { event in
            var effects: [Fetch.Effect] = []
            fetch.handle(event, effects: &effects)
            let failure = fetch.failure.map { [describe($0)] } ?? []
            return (["\(fetch.state)"] + failure + effects.map { "→ \(describe($0))" }).joined(separator: " ")
        }
    }

    private func describe(_ error: any Error) -> String { error is CancellationError ? "cancellation" : "error" }

    private func describe(_ effect: Fetch.Effect) -> String {
        switch effect {
        case .cancel: "cancel"
        case .fetchAgain: "fetchAgain"
        case .report(let error): "report \(describe(error))"
        }
    }

    @Test(arguments: [(false, FeedList<LetterFeed.Letter>.State.loading), (true, .loaded)])
    func `Before the first fetch a known list is loaded, and an unknown one is loading`(
        isListKnown: Bool, state: FeedList<LetterFeed.Letter>.State
    ) {
        let fetch = Fetch(isListKnown: isListKnown)

        #expect(fetch.state == state && fetch.failure == nil && fetch.operation == nil)
    }

    @Test func `A fetch that fails shows and reports its error until one succeeds`() {
        #expect(
            steps([Self.start, .failed(Broken()), Self.start, .succeeded]) == [
                "loading", "failed error → report error", "loading error", "loaded",
            ])
    }

    @Test func `An attempt that is retried shows its error and does not report it`() {
        #expect(steps([Self.start, .willRetry(Broken()), .succeeded]) == ["loading", "loading error", "loaded"])
    }

    @Test func `Another fetch cancels the one in progress`() {
        let (first, second) = (LetterFeed().list(), LetterFeed().list())
        var fetch = Fetch(isListKnown: false)
        var effects: [Fetch.Effect] = []

        fetch.handle(.start(first), effects: &effects)
        fetch.handle(.start(second), effects: &effects)

        let cancelled = effects.compactMap { effect -> BackendOperation<LetterFeed.List>? in
            guard case .cancel(let operation) = effect else { return nil }
            return operation
        }
        #expect(cancelled == [first] && effects.count == 1)
        #expect(fetch.operation == second && fetch.state == .loading)
    }

    // MARK: Cancellation by others

    @Test func `A cancelled fetch preserves a known list`() {
        #expect(steps(isListKnown: true, [Self.start, Self.known]) == ["loading", "loaded"])
    }

    @Test func `A cancelled fetch of an unknown list is repeated once and then fails`() {
        #expect(
            steps([Self.start, Self.unknown, Self.start, Self.unknown]) == [
                "loading", "loading → fetchAgain", "loading", "failed cancellation → report cancellation",
            ])
    }

    @Test(
        arguments: [
            (.succeeded, "loading → fetchAgain"), (.failed(Broken()), "failed error"),
        ] as [(ListFetch<LetterFeed>.Event, String)])
    func `After a success the next cancelled fetch is repeated, and after a failure the error remains`(
        event: ListFetch<LetterFeed>.Event, last: String
    ) {
        #expect(steps([Self.start, Self.unknown, Self.start, event, Self.start, Self.unknown]).last == last)
    }

    @Test(arguments: [false, true]) func `A cancelled fetch with a failed attempt fails with its error`(isListKnown: Bool) {
        let cancelled = Fetch.Event.cancelled(isListKnown: isListKnown)

        #expect(steps([Self.start, .willRetry(Broken()), cancelled]).last == "failed error")
    }

    // MARK: Between fetches

    @Test func `A list that another screen fetches removes the error`() {
        #expect(steps([Self.start, .failed(Broken()), .fetchedByOther]).last == "loaded")
        #expect(steps([.fetchedByOther]) == ["loaded"])
    }

    @Test func `A failure is retried once, and only a failure is`() {
        #expect(
            steps([Self.start, .failed(Broken()), .retryFailure, .retryFailure]).suffix(2) == ["failed → fetchAgain", "failed"])
        #expect(steps([.retryFailure, Self.start, .succeeded, .retryFailure]) == ["loading", "loading", "loaded", "loaded"])
    }

    @Test(
        arguments: [
            .willRetry(Broken()), .succeeded, .failed(Broken()), .cancelled(isListKnown: true), .cancelled(isListKnown: false),
        ] as [ListFetch<LetterFeed>.Event])
    func `The events of a fetch have no effect between fetches`(event: ListFetch<LetterFeed>.Event) {
        #expect(steps([event]) == ["loading"])
        #expect(steps([Self.start, .failed(Broken()), event]).last == "failed error")
    }

    @Test(arguments: [.fetchedByOther, .retryFailure] as [ListFetch<LetterFeed>.Event])
    func `Other screens and retries have no effect on a fetch in progress`(event: ListFetch<LetterFeed>.Event) {
        #expect(steps([Self.start, .willRetry(Broken()), event]).last == "loading error")
    }

    @Test func `A stop returns the operation in progress and changes nothing that is shown`() {
        let operation = LetterFeed().list()
        var fetch = Fetch(isListKnown: true)
        #expect(fetch.stop() == nil)
        var effects: [Fetch.Effect] = []
        fetch.handle(.start(operation), effects: &effects)

        #expect(fetch.stop() == operation)

        #expect(fetch.operation == nil && fetch.state == .loading && effects.isEmpty)
    }
}
