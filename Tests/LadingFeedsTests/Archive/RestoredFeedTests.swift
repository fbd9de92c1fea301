import Foundation
import LadingCaching
import LadingOperations
import LadingRecords
import LadingTesting
import Synchronization
import Testing
@testable import LadingFeeds

/// Tests of feeds that show rows of an earlier process. Each process has its own cache and queue; they share a store.
@Suite struct RestoredFeedTests {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let feed = LetterFeed()
    private let store = MemoryRecordStore<ArchivedValue>()

    /// A process of the program.
    private struct Process {
        let cache: FeedCache<LetterFeed>
        let queue: BackendQueue
        let archive: RecordArchive
    }

    private func process() -> Process {
        let archive = RecordArchive(store: store, byteLimit: 1 << 20, clock: clock, offload: { $1() })
        return Process(
            cache: FeedCache(archive: FeedArchive(in: archive, named: "letters")),
            queue: BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: 4)), executor: executor), archive: archive)
    }

    private func screen(
        _ visible: Range<Int>, in process: Process, _ arrangement: LetterQuery? = nil
    ) -> FeedController<LetterFeed> {
        let controller = FeedController(feed: feed, cache: process.cache, queue: process.queue, clock: clock)
        controller.start()
        controller.setViewport(Viewport(visible: visible))
        controller.setQuery(arrangement)
        executor.runAll()
        return controller
    }

    /// Loads these rows in a process, which then ends.
    private func load(_ visible: Range<Int>) async {
        let process = process()
        screen(visible, in: process).stop()
        executor.runAll()
        await process.archive.flush()
    }

    private func titles(_ screen: FeedController<LetterFeed>, _ count: Int) -> [String] {
        screen.list.snapshot.references.prefix(count).map { screen.state(of: $0.id).row ?? "?" }
    }

    @Test func `Offline the stored list and rows are shown, and the failure is reported`() async {
        await load(0..<3)
        let requested = feed.log.rows
        feed.isListBroken.withLock { $0 = true }
        feed.failing.withLock { $0 = ["d"] }

        let process = process()
        let screen = screen(0..<4, in: process)

        #expect(screen.list.snapshot.count == 26)
        #expect(screen.list.state == .failed)
        #expect(screen.list.failure is LetterFeed.LoadFailure)
        #expect(titles(screen, 4) == ["a1", "b1", "c1", "?"])
        #expect(!screen.hasFailed("a") && screen.hasFailed("d"))
        #expect(feed.log.rows == requested + ["d"])
        #expect(process.cache.archiveDate(of: "a") != nil)
    }

    @Test func `Fetching the first list marks stored rows as outdated and reloads them`() async throws {
        await load(0..<3)
        feed.version.withLock { $0 = 2 }
        let gate = Gate()
        feed.gate.withLock { $0 = gate }

        let process = process()
        let screen = screen(0..<3, in: process)

        #expect(screen.list.state == .loaded && screen.list.failure == nil)
        #expect(titles(screen, 3) == ["a1", "b1", "c1"])
        gate.open()
        feed.gate.withLock { $0 = nil }
        executor.runAll()
        #expect(titles(screen, 3) == ["a2", "b2", "c2"])
        #expect(process.cache.archiveDate(of: "a") == nil)
    }

    @Test func `A stored list is shown until one is fetched, and then failed rows are retried`() async {
        await load(0..<2)
        feed.isListBroken.withLock { $0 = true }
        feed.failing.withLock { $0 = ["c"] }
        let process = process()
        let first = screen(0..<3, in: process)
        feed.isListBroken.withLock { $0 = false }
        feed.failing.withLock { $0 = [] }
        feed.version.withLock { $0 = 2 }

        let second = screen(0..<3, in: process)

        for screen in [first, second] {
            #expect(screen.list.state == .loaded && screen.list.failure == nil)
            #expect(titles(screen, 3) == ["a2", "b2", "c2"])
        }
    }

    @Test func `A row that is no longer in the list is removed with the next fetched list, and never by a failure`() async {
        await load(0..<3)
        feed.isListBroken.withLock { $0 = true }
        await load(0..<3)
        #expect(await store.isStored("letters/row/b"))

        feed.isListBroken.withLock { $0 = false }
        feed.hidden.withLock { $0 = ["b"] }
        await load(0..<1)

        #expect(await store.isStored("letters/row/a"))
        #expect(await !store.isStored("letters/row/b"))
        feed.isListBroken.withLock { $0 = true }
        #expect(titles(screen(0..<2, in: process()), 2) == ["a1", "c1"])
    }

    @Test func `Offline all stored rows are searched and sorted, not only those in view`() async {
        await load(0..<20)
        feed.isListBroken.withLock { $0 = true }
        feed.failing.withLock { $0 = Set("abcdefghijklmnopqrstuvwxyz".map { "\($0)" }) }

        let backwards = screen(0..<3, in: process(), LetterQuery(isBackwards: true))
        clock.advance(by: FeedController<LetterFeed>.evaluationInterval)
        executor.runAll()
        #expect(backwards.list.snapshot.knownCount == 20)
        #expect(titles(backwards, 3) == ["t1", "s1", "r1"])

        let found = screen(0..<3, in: process(), LetterQuery(text: "bk"))
        clock.advance(by: FeedController<LetterFeed>.evaluationInterval)
        executor.runAll()
        #expect(found.list.snapshot.matchedCount == 2)
        #expect(titles(found, 2) == ["b1", "k1"])
    }

    @Test func `Sorting loads only rows that are not stored`() async {
        await load(0..<20)
        let requested = feed.log.rows.count
        feed.isListBroken.withLock { $0 = true }

        let backwards = screen(0..<1, in: process(), LetterQuery(isBackwards: true))
        clock.advance(by: FeedController<LetterFeed>.evaluationInterval)
        executor.runAll()

        #expect(backwards.list.snapshot.knownCount == 26)
        #expect(Set(feed.log.rows.dropFirst(requested)) == ["u", "v", "w", "x", "y", "z"])
    }

    @Test func `A list that is fetched before the stored one was read is shown at once and stored later`() async {
        await load(0..<3)
        let process = process()

        process.cache.store(["a", "b"].map { LetterFeed.Letter(id: $0) }, fetchEpoch: nil, refreshEpoch: nil)
        await process.archive.flush()
        #expect(await store.isStored("letters/row/c"))
        process.cache.restore(await process.cache.archive?.list())
        await process.archive.flush()

        #expect(process.cache.snapshot?.count == 2)
        #expect(await !store.isStored("letters/row/c"))
    }

    @Test func `Rows of lists that were replaced before they were written are removed`() async {
        await load(0..<3)
        let process = process()
        process.cache.restore(await process.cache.archive?.list())

        for ids in [["a", "b"], ["b", "d"]] {
            process.cache.store(ids.map { LetterFeed.Letter(id: $0) }, fetchEpoch: nil, refreshEpoch: nil)
        }
        await process.archive.flush()

        #expect(await store.isStored("letters/row/b"))
        #expect(await !store.isStored("letters/row/a"))
        #expect(await !store.isStored("letters/row/c"))
    }

    @Test func `A row that returns to the list before it was removed remains stored`() async {
        await load(0..<3)
        let process = process()
        process.cache.restore(await process.cache.archive?.list())

        for ids in [["a"], ["a", "c"]] {
            process.cache.store(ids.map { LetterFeed.Letter(id: $0) }, fetchEpoch: nil, refreshEpoch: nil)
        }
        await process.archive.flush()

        #expect(await store.isStored("letters/row/c"))
        #expect(await !store.isStored("letters/row/b"))
    }

    // MARK: Rows that cannot be read

    @Test func `A row is looked up once until it is stored again`() {
        var restored = RestoredFeed<LetterFeed.Letter>()
        _ = restored.listRestored(nil)
        #expect(!restored.mayContain("a"))

        restored.recordStored("a")
        #expect(restored.mayContain("a"))
        restored.recordMissing(["a"])
        #expect(!restored.mayContain("a"))
        restored.recordStored("a")
        #expect(restored.mayContain("a"))
        let list = FeedSnapshot([LetterFeed.Letter(id: "b")])
        _ = restored.listFetched(list, at: .distantPast, after: nil, removing: restored.ids(notIn: list))
        #expect(!restored.mayContain("a"))
    }

    @Test func `A row that is not stored is looked up again only after it has left the list`() {
        let lists = ["a", "b"].map { FeedSnapshot([LetterFeed.Letter(id: $0)]) }
        var restored = RestoredFeed<LetterFeed.Letter>()
        _ = restored.listRestored(lists[0])
        restored.recordMissing(["a"])

        _ = restored.listFetched(lists[0], at: .distantPast, after: lists[0], removing: restored.ids(notIn: lists[0]))
        #expect(!restored.mayContain("a"))
        _ = restored.listFetched(lists[1], at: .distantPast, after: lists[0], removing: restored.ids(notIn: lists[1]))
        #expect(restored.mayContain("a"))
    }

    @Test(arguments: [([], ["a", "b"]), (["a", "c"], ["b"]), (["a", "b"], [])] as [([String], Set<String>)])
    func `The rows with a record that are not in a list are found`(list: [String], departed: Set<String>) {
        var restored = RestoredFeed<LetterFeed.Letter>()
        _ = restored.listRestored(nil)
        restored.recordStored("a")
        restored.recordMissing(["b"])

        #expect(restored.ids(notIn: FeedSnapshot(list.map { LetterFeed.Letter(id: $0) })) == departed)
    }

    @Test(arguments: [.list, .fields, .rows(["a", "b"])] as [ArchiveReads<String>.Part])
    func `A part of the archive that is being read is not read at the same time again`(part: ArchiveReads<String>.Part) {
        var reads = ArchiveReads<String>()

        let beginnings = [reads.begin(part), reads.begin(part)]
        reads.end(part)

        #expect(beginnings == [true, false])
        let isRestarted = reads.begin(part)
        #expect(isRestarted)
    }

    @Test func `A row that is too long to be stored is loaded again after its eviction`() async {
        let process = process()
        let screen = screen(3..<4, in: process)
        process.cache.store(String(repeating: "x", count: FeedArchive<LetterFeed>.rowLimit + 1), for: "a")
        await process.archive.flush()
        process.cache.rows.removeValue(for: "a")

        screen.setViewport(Viewport(visible: 0..<1))
        executor.runAll()

        #expect(feed.log.rows == ["d", "a"])
        #expect(screen.state(of: "a").row == "a1")
    }

    @Test func `On a queue that was shut down stored rows fail and are not read repeatedly`() async {
        await load(0..<3)
        let process = process()
        process.cache.restore(await process.cache.archive?.list())
        let screen = FeedController(feed: feed, cache: process.cache, queue: process.queue, clock: clock)
        await process.queue.shutDown()

        screen.setViewport(Viewport(visible: 0..<3))

        #expect(screen.hasFailed("a") && screen.hasFailed("c"))
        #expect(!screen.isRestoring)
    }

    @Test func `A cancelled read is repeated once`() async {
        await load(0..<3)
        let process = process()
        process.cache.restore(await process.cache.archive?.list())
        let screen = FeedController(feed: feed, cache: process.cache, queue: process.queue, clock: clock)
        process.queue.pause()
        screen.setViewport(Viewport(visible: 0..<3))

        process.queue.cancelAll()
        #expect(screen.isRestoring)
        process.queue.cancelAll()
        #expect(!screen.isRestoring)
        process.queue.resume()
        screen.setViewport(Viewport(visible: 0..<3))
        executor.runAll()

        #expect(titles(screen, 3) == ["a1", "b1", "c1"])
    }

    @Test func `A read of the stored list that others cancel is repeated once, and again by a refresh`() async {
        await load(0..<3)
        feed.isListBroken.withLock { $0 = true }
        for cancellations in 1...2 {
            let process = process()
            let screen = FeedController(feed: feed, cache: process.cache, queue: process.queue, clock: clock)
            process.queue.pause()
            screen.start()

            for _ in 0..<cancellations { process.queue.cancelAll() }
            process.queue.resume()
            executor.runAll()
            #expect(screen.list.snapshot.count == (cancellations == 1 ? 26 : 0))
            screen.refresh()
            executor.runAll()

            #expect(screen.list.snapshot.count == 26)
            #expect(screen.list.state == .failed && !screen.isRestoring)
        }
    }

    @Test func `A read of the stored fields that others cancel is repeated once, and again by a request for all rows`() async {
        await load(0..<3)
        for cancellations in 1...2 {
            let process = process()
            let screen = screen(0..<1, in: process)
            process.queue.pause()
            screen.setQuery(LetterQuery(isBackwards: true))

            for _ in 0..<cancellations { process.queue.cancelAll() }
            process.queue.resume()
            executor.runAll()
            clock.advance(by: FeedController<LetterFeed>.evaluationInterval)
            executor.runAll()
            #expect((screen.list.snapshot.knownCount == 26) == (cancellations == 1))
            screen.indexAll()
            executor.runAll()
            clock.advance(by: FeedController<LetterFeed>.evaluationInterval)
            executor.runAll()

            #expect(screen.list.snapshot.knownCount == 26)
        }
    }

    @Test func `A cache without an archive stores and reads nothing`() {
        let queue = BackendQueue(executor: executor)
        let screen = FeedController(feed: feed, cache: FeedCache<LetterFeed>(), queue: queue, clock: clock)
        screen.start()
        screen.setViewport(Viewport(visible: 0..<2))
        #expect(!screen.isRestoring)
        executor.runAll()

        #expect(titles(screen, 2) == ["a1", "b1"])
    }
}

extension MemoryRecordStore<ArchivedValue> {
    fileprivate func isStored(_ name: String) async -> Bool {
        let record = try? await record(of: name)
        return record?.row != nil
    }
}
