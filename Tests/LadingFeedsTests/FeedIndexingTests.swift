import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of the number of rows that are indexed: one step, further steps at the end of the results, all on request.
@Suite struct FeedIndexingTests {
    private static let step = FeedIndexing<Int>.rowLimit

    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed = NumberedFeed(count: 3 * step + 500)
    private let cache = FeedCache<NumberedFeed>()

    init() {
        queue = BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: 8, reserved: 2)), executor: executor)
    }

    /// Creates a controller with a query that matches the numbers below a limit.
    private func makeController(matching found: Int, visible: Range<Int>) -> FeedController<NumberedFeed> {
        let controller = FeedController(feed: feed, cache: cache, queue: queue, clock: clock)
        controller.start()
        controller.setViewport(Viewport(visible: visible))
        executor.runAll()
        controller.setQuery(NumberedFeed.Below(limit: found))
        runUntilIdle()
        return controller
    }

    /// Runs until no operation and no timer is left, including delayed query evaluations.
    private func runUntilIdle() {
        repeat {
            executor.runAll()
            clock.advance(by: FeedController<NumberedFeed>.evaluationInterval)
            executor.runAll()
        } while !queue.isIdle
    }

    @Test func `One step is indexed while more rows match than are in view`() {
        let controller = makeController(matching: 50, visible: 0..<10)

        #expect(controller.list.snapshot.matchedCount == 50)
        #expect((Self.step...Self.step + 10).contains(controller.list.snapshot.knownCount))
        #expect(!controller.isIndexing)
    }

    @Test func `Indexing continues to the end of the list while the last match is in view`() {
        let controller = makeController(matching: 3, visible: 0..<10)

        #expect(controller.list.snapshot.knownCount == feed.count)
        #expect(controller.list.snapshot.count == 3)
    }

    @Test func `Scrolling to the last match indexes another step`() {
        let controller = makeController(matching: 50, visible: 0..<10)
        let before = controller.list.snapshot.knownCount

        controller.setViewport(Viewport(visible: 45..<55))
        controller.setViewport(Viewport(visible: 0..<10))
        runUntilIdle()

        #expect((before + 1...before + Self.step + 10).contains(controller.list.snapshot.knownCount))
    }

    @Test func `All rows are indexed on request until indexing is stopped`() {
        let controller = makeController(matching: 50, visible: 0..<10)

        controller.indexAll()
        #expect(controller.isIndexingAll && controller.isIndexing)
        controller.stopIndexing()
        runUntilIdle()
        #expect(controller.list.snapshot.knownCount < 2 * Self.step)
        #expect(!controller.isIndexingAll)

        controller.indexAll()
        runUntilIdle()
        #expect(controller.list.snapshot.knownCount == feed.count)
    }

    @Test func `A refresh does not resume indexing that was stopped`() {
        let controller = makeController(matching: 50, visible: 0..<10)
        let before = controller.list.snapshot.knownCount
        controller.stopIndexing()

        controller.refresh()
        runUntilIdle()

        #expect(controller.list.snapshot.knownCount == before)
        #expect(!controller.isIndexing)
    }

    @Test func `A refresh does not end the indexing of all rows`() {
        let controller = makeController(matching: 50, visible: 0..<10)
        controller.indexAll()

        controller.refresh()
        runUntilIdle()

        #expect(controller.isIndexingAll)
        #expect(controller.list.snapshot.knownCount == feed.count)
    }

    @Test func `Indexing pauses while the server is unreachable and resumes when it responds`() {
        let controller = makeController(matching: 3, visible: 0..<0)
        let before = feed.requestCount.withLock { $0 }
        feed.isFailing.withLock { $0 = true }
        controller.indexAll()
        runUntilIdle()
        #expect(feed.requestCount.withLock { $0 } - before <= FeedIndexing<Int>.failureLimit + FeedIndexing<Int>.concurrencyLimit)
        #expect(controller.indexingFailure?.isStopped == true)

        feed.isFailing.withLock { $0 = false }
        controller.setViewport(Viewport(visible: 3..<10))
        runUntilIdle()

        #expect(controller.list.snapshot.knownCount == feed.count)
        #expect(controller.indexingFailure == nil)
    }

    @Test func `A single failed row is reported and loaded again with the next request for all rows`() throws {
        feed.failing.withLock { $0 = [2_000] }
        let controller = makeController(matching: 3, visible: 0..<10)

        let failure = try #require(controller.indexingFailure)
        #expect(failure.count == 1 && !failure.isStopped)
        #expect(failure.error is NumberedFeed.Unreachable)
        #expect(controller.list.snapshot.knownCount == feed.count - 1)

        feed.failing.withLock { $0 = [] }
        controller.indexAll()
        #expect(controller.isIndexing)
        #expect(controller.indexingFailure == nil)
        runUntilIdle()
        #expect(controller.list.snapshot.knownCount == feed.count)
        #expect(controller.indexingFailure == nil)
    }
}

/// A long feed of numbers.
final class NumberedFeed: Feed {
    struct Number: Identifiable, Sendable { let id: Int }
    struct Unreachable: Error {}

    /// A query for the numbers below a limit.
    struct Below: FeedQuery {
        var limit = Int.max

        static func indexedFields(of row: Int) -> Int { row }

        var isDefault: Bool { limit == .max }
        func matches(_ fields: Int) -> Bool { fields < limit }
        func isOrderedBefore(_ fields: Int, _ others: Int) -> Bool { false }
    }

    typealias Query = Below

    let count: Int
    let requestCount = Mutex(0)
    let isFailing = Mutex(false)
    let failing = Mutex<Set<Int>>([])

    init(count: Int) {
        self.count = count
    }

    func list() -> BackendOperation<[Number]> {
        let count = count
        return BackendOperation("list", lane: .network("numbers")) { (0..<count).map(Number.init) }
    }

    func load(_ number: Number) -> BackendOperation<Int> {
        BackendOperation("\(number.id)", lane: .network("numbers")) {
            self.requestCount.withLock { $0 += 1 }
            if self.isFailing.withLock({ $0 }) || self.failing.withLock({ $0.contains(number.id) }) { throw Unreachable() }
            return number.id
        }
    }
}
