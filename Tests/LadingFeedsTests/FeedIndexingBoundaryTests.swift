import Testing

@testable import LadingFeeds

/// Tests of the boundaries of indexing as tables of events and started rows.
@Suite struct FeedIndexingBoundaryTests {
    private struct LoadFailure: Error {}

    private static let rows = Array(0..<5_000)

    private var indexing = FeedIndexing<Int>()

    /// Handles an event; returns the rows that are started.
    @discardableResult
    private mutating func handle(_ event: FeedIndexing<Int>.Event) -> [Int] {
        var effects: [FeedIndexing<Int>.Effect] = []
        indexing.handle(event, effects: &effects)
        return effects.compactMap { effect -> Int? in
            guard case .start(let id) = effect else { return nil }
            return id
        }
    }

    /// Handles failures of these rows; returns the rows that are started.
    @discardableResult
    private mutating func fail(_ ids: Range<Int>) -> [Int] {
        var started: [Int] = []
        for id in ids { started += handle(.failed(id, LoadFailure())) }
        return started
    }

    /// Loads rows that were started and all rows that are started after them; returns their number.
    private mutating func load(_ started: [Int]) -> Int {
        var loading = started
        var count = 0
        while let id = loading.popLast() {
            loading += handle(.ended(id))
            count += 1
        }
        return count
    }

    // MARK: Failures

    @Test mutating func `The 16th failure in succession stops indexing`() {
        #expect(handle(.begin(Self.rows)) == Array(0..<8))

        #expect(fail(0..<15) == Array(8..<23))
        #expect(!indexing.hasReachedFailureLimit)
        #expect(fail(15..<16) == [])
        #expect(indexing.hasReachedFailureLimit)
        #expect(handle(.begin(Self.rows)) == [])
    }

    @Test(arguments: [.ended(15), .serverResponded, .clearFailures([])] as [FeedIndexing<Int>.Event])
    mutating func `A loaded row, another response and a retry begin a new succession of failures`(event: FeedIndexing<Int>.Event) {
        handle(.begin(Self.rows))
        fail(0..<15)

        handle(event)

        fail(16..<31)
        #expect(!indexing.hasReachedFailureLimit)
        fail(31..<32)
        #expect(indexing.hasReachedFailureLimit)
    }

    @Test(arguments: [(15, []), (16, [0])] as [(Int, [Int])])
    mutating func `A response of the server retries the failed rows if they have stopped indexing`(failures: Int, started: [Int]) {
        handle(.begin(Self.rows))
        fail(0..<failures)

        handle(.serverResponded)

        #expect(indexing.failed.map(\.id) == (started == [] ? Array(0..<failures) : []))
        #expect(handle(.begin(Self.rows)) == started)
    }

    @Test mutating func `The end of a row that is not being loaded has no effect`() {
        handle(.begin(Self.rows))

        #expect(handle(.failed(8, LoadFailure())) == [])
        #expect(handle(.ended(9)) == [])
        #expect(indexing.failed.isEmpty && indexing.done == [])
    }

    @Test(
        arguments: [
            (.begin([]), [1, 2]), (.ended(3), [1, 2]), (.clearFailures([1, 5]), [2]), (.extend, [1, 2]), (.pause, [1, 2]),
            (.serverResponded, [1, 2]), (.indexAll, []), (.queryChanged, []), (.listRefreshed, []), (.stop, []),
        ] as [(FeedIndexing<Int>.Event, Set<Int>)])
    mutating func `Failed rows have their errors until they may be loaded again`(event: FeedIndexing<Int>.Event, failed: Set<Int>) {
        handle(.begin(Self.rows))
        for id in [1, 2] { handle(.failed(id, LoadFailure())) }

        handle(event)

        #expect(indexing.failures { $0 is LoadFailure } == failed)
    }

    @Test mutating func `Rows are found by their errors, and those that others have cancelled are not`() {
        handle(.begin(Self.rows))
        handle(.failed(1, CancellationError()))
        handle(.failed(0, LoadFailure()))

        #expect(indexing.failed.map(\.isCancellation) == [true, false])
        #expect(indexing.failures { _ in true } == [0])
        #expect(indexing.failures { !($0 is LoadFailure) } == [])
    }

    // MARK: Steps

    @Test mutating func `Indexing is done once no row is pending or being loaded`() {
        #expect(indexing.isDone)

        handle(.begin([1]))
        #expect(!indexing.isDone)
        handle(.ended(1))
        #expect(indexing.isDone)
    }

    @Test mutating func `An extension adds 2,000 rows to those that were loaded or are being loaded`() {
        let started = handle(.begin(Self.rows))
        handle(.extend)
        handle(.begin(Self.rows))

        #expect(load(started) == 2_008)
        #expect(handle(.begin(Self.rows)) == [])
        handle(.extend)
        let next = handle(.begin(Self.rows))
        #expect(load(next) == 2_000)
    }

    @Test mutating func `Paused indexing continues for another query, not for an extension`() {
        handle(.begin(Self.rows))

        handle(.pause)
        #expect(handle(.begin(Self.rows)) == [])
        handle(.extend)
        #expect(handle(.begin(Self.rows)) == [])
        handle(.queryChanged)
        #expect(handle(.begin(Self.rows)) == Array(0..<8))
    }

    @Test mutating func `After a refresh another step is indexed`() {
        let started = handle(.begin(Self.rows))
        #expect(load(started) == 2_000)

        handle(.listRefreshed)

        let next = handle(.begin(Self.rows))
        #expect(load(next) == 2_000)
    }

    @Test(arguments: [.indexAll, .pause] as [FeedIndexing<Int>.Event])
    mutating func `After a refresh indexing of all rows continues, and paused indexing remains paused`(event: FeedIndexing<Int>.Event) {
        handle(event)
        let (started, indexesAll) = (handle(.begin(Self.rows)), indexing.indexesAll)

        handle(.listRefreshed)

        #expect(indexing.indexesAll == indexesAll)
        #expect(handle(.begin(Self.rows)) == started)
    }

    @Test mutating func `All rows are indexed until indexing is paused, for another query, too`() {
        #expect(!indexing.indexesAll)

        handle(.indexAll)
        #expect(indexing.indexesAll)
        handle(.queryChanged)
        #expect(indexing.indexesAll)
        handle(.pause)
        #expect(!indexing.indexesAll)
    }
}
