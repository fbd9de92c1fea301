import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of caches that have no room for all rows in view, or only for them. Work that does not end is cut off.
@Suite struct FeedCacheLimitTests {
    /// A feed of twelve rows that are loaded at once, up to a number of loads after which they fail.
    private final class ImmediateRows: Feed {
        struct Reference: Identifiable, Sendable { let id: Int }
        struct LoadLimitReached: Error {}

        private static let loadLimit = 1_000

        let loads = Mutex<[Int]>([])

        func list() -> BackendOperation<[Reference]> { BackendOperation("list", result: .success((0..<12).map(Reference.init))) }

        func load(_ reference: Reference) -> BackendOperation<String> {
            let count = loads.withLock { loads -> Int in
                loads.append(reference.id)
                return loads.count
            }
            return BackendOperation("row", result: count > Self.loadLimit ? .failure(LoadLimitReached()) : .success("row"))
        }
    }

    /// More jobs than any of these tests needs.
    private static let jobLimit = 5_000

    private let executor = SteppingExecutor()
    private let queue: BackendQueue
    private let feed = LetterFeed()

    init() {
        queue = BackendQueue(executor: executor)
    }

    @Test func `At rest rows in view are loaded at most twice if the cache has no room for all`() {
        let controller = FeedController(feed: feed, cache: FeedCache(rowLimit: 2), queue: queue)
        controller.start()
        controller.setViewport(Viewport(visible: 0..<4))

        executor.run(atMost: Self.jobLimit)

        #expect(queue.isIdle)
        #expect(Set(feed.log.rows) == ["a", "b", "c", "d"])
        #expect(feed.log.rows.count <= 8)
    }

    @Test func `Setting the viewport returns even if rows are loaded at once and the cache has no room for all`() {
        let feed = ImmediateRows()
        let controller = FeedController(feed: feed, cache: FeedCache(rowLimit: 10), queue: queue)
        controller.start()

        controller.setViewport(Viewport(visible: 0..<12))

        let loads = feed.loads.withLock { $0 }
        #expect(Set(loads) == Set(0..<12))
        #expect(loads.count <= 24)
    }

    @Test func `At rest stored rows are read at most twice if the cache has no room for all`() async {
        let records = RecordArchive(
            store: MemoryRecordStore<ArchivedValue>(), byteLimit: 1 << 20, clock: ManualClock(), offload: { $1() })
        let earlier = FeedCache<LetterFeed>(archive: FeedArchive(in: records, named: "letters"))
        earlier.restore(nil)
        let ids = ["a", "b", "c", "d"]
        earlier.store(ids.map { LetterFeed.Letter(id: $0) }, fetchEpoch: nil, refreshEpoch: nil)
        for id in ids { earlier.store("\(id)1", for: id) }
        await records.flush()
        let cache = FeedCache<LetterFeed>(archive: FeedArchive(in: records, named: "letters"), rowLimit: 2)
        cache.restore(await cache.archive?.list())
        let controller = FeedController(feed: feed, cache: cache, queue: queue)

        controller.setViewport(Viewport(visible: 0..<4))
        executor.run(atMost: Self.jobLimit)

        #expect(controller.list.snapshot.count == 4)
        #expect(!controller.isRestoring && queue.isIdle)
        #expect(ids.filter { controller.state(of: $0).isLoaded }.count == 2)
        #expect(feed.log.rows == [])
    }

    @Test func `No more rows are prefetched than fit beside those in view`() {
        let controller = FeedController(feed: feed, cache: FeedCache(rowLimit: 6), queue: queue, prefetchedScreens: 3)
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))

        executor.run(atMost: Self.jobLimit)

        #expect(queue.isIdle)
        #expect(feed.log.rows.sorted() == ["a", "b", "c", "d", "e", "f"])
    }

    @Test func `A row that was evicted is loaded again when it comes into view again`() {
        let controller = FeedController(feed: feed, cache: FeedCache(rowLimit: 2), queue: queue)
        controller.start()
        for (index, id) in [(0, "a"), (1, "b"), (2, "c"), (0, "a"), (1, "b"), (2, "c")] {
            controller.setViewport(Viewport(visible: index..<index + 1))
            executor.run(atMost: Self.jobLimit)

            #expect(controller.state(of: id).isLoaded)
        }

        #expect(feed.log.rows.count > 3)
    }
}
