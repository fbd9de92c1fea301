import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// A feed of numbers whose lists omit rows.
final class OmittingFeed: Feed {
    struct Number: Identifiable, Codable, Sendable { let id: Int }

    /// An order of the numbers, largest first.
    struct Descending: FeedQuery {
        static func indexedFields(of row: Int) -> Int { row }

        var isDefault: Bool { false }
        func matches(_ fields: Int) -> Bool { true }
        func isOrderedBefore(_ fields: Int, _ others: Int) -> Bool { fields > others }
    }

    typealias Query = Descending

    let omittedCount = Mutex(0)

    func list() -> BackendOperation<FetchedList<Number>> {
        BackendOperation("list", lane: .network("numbers")) {
            FetchedList([1, 2, 3].map { Number(id: $0) }, omittedCount: self.omittedCount.withLock { $0 })
        }
    }

    func load(_ number: Number) -> BackendOperation<Int> { BackendOperation("number", result: .success(number.id)) }
}

/// Tests of the number of rows that a list omits, from the feed to its screens.
@Suite struct OmittedCountTests {
    private let executor = ManualTaskExecutor()
    private let queue: BackendQueue
    private let feed = OmittingFeed()
    private let cache = FeedCache<OmittingFeed>()

    init() {
        queue = BackendQueue(executor: executor)
    }

    private func makeScreen() -> FeedController<OmittingFeed> {
        let screen = FeedController(feed: feed, cache: cache, queue: queue, clock: ManualClock())
        screen.start()
        executor.runAll()
        return screen
    }

    @Test func `A screen shows the number of the last list, under a query too`() {
        feed.omittedCount.withLock { $0 = 2 }
        let screen = makeScreen()
        #expect(screen.list.snapshot.omittedCount == 2)

        screen.setQuery(OmittingFeed.Descending())
        executor.runAll()
        #expect(screen.list.snapshot.references.map(\.id) == [3, 2, 1])
        #expect(screen.list.snapshot.omittedCount == 2)

        feed.omittedCount.withLock { $0 = 0 }
        screen.refresh()
        executor.runAll()
        #expect(screen.list.snapshot.omittedCount == 0)
    }

    @Test func `A dropped list does not change the number`() throws {
        let older = feed.list()
        queue.submit(older, priority: .visible)
        executor.runAll()
        feed.omittedCount.withLock { $0 = 2 }
        let screen = makeScreen()

        let fetched = FetchedList([OmittingFeed.Number(id: 9)], omittedCount: 7)
        cache.store(fetched, fetchEpoch: queue.epoch(of: older), refreshEpoch: nil)

        #expect(screen.list.snapshot.references.map(\.id) == [1, 2, 3])
        #expect(screen.list.snapshot.omittedCount == 2)
    }

    @Test func `An array omits no rows`() {
        #expect([1, 2].fetchedList.references == [1, 2] && [1, 2].fetchedList.omittedCount == 0)
    }
}
