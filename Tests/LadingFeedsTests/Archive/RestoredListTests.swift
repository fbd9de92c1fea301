import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of feeds whose list is stored and contains the rows. Each process has its own cache and queue; they share a store.
@Suite struct RestoredListTests {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let feed = EditionFeed()
    private let store = MemoryRecordStore<ArchivedValue>()

    private func makeArchive() -> RecordArchive {
        RecordArchive(store: store, byteLimit: 1 << 20, clock: clock, offload: { $1() })
    }

    private func makeScreen(_ archive: RecordArchive) -> FeedController<EditionFeed> {
        let cache = FeedCache<EditionFeed>(archive: FeedArchive(ofListIn: archive, named: "editions"))
        let screen = FeedController(feed: feed, cache: cache, queue: BackendQueue(executor: executor), clock: clock)
        screen.start()
        screen.setViewport(Viewport(visible: 0..<2))
        executor.runAll()
        return screen
    }

    private func rows(_ screen: FeedController<EditionFeed>) -> [String] { ["a", "b"].map { screen.state(of: $0).row ?? "?" } }

    @Test func `Rows that were loaded from the stored list are loaded again from the first fetched one`() async {
        let earlier = makeArchive()
        makeScreen(earlier).stop()
        executor.runAll()
        await earlier.flush()
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        feed.edition.withLock { $0 = 2 }

        let screen = makeScreen(makeArchive())
        #expect(rows(screen) == ["a1", "b1"])
        gate.open()
        executor.runAll()

        #expect(rows(screen) == ["a2", "b2"])
        #expect(screen.list.state == .loaded)
    }
}
