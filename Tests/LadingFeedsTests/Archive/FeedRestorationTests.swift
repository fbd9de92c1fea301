import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// What a feed shows of an earlier process. A process is a memory with a queue of its own; the store outlives it.
@Suite struct FeedRestorationTests {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let feed = LetterFeed()
    private let store = MemoryRecordStore<ArchivedValue>()

    /// One run of a program.
    private struct Process {
        let memory: FeedMemory<LetterFeed>
        let queue: BackendQueue
        let archive: RecordArchive
    }

    private func process() -> Process {
        let archive = RecordArchive(store: store, byteLimit: 1 << 20, clock: clock, offload: { $0() })
        return Process(
            memory: FeedMemory(archive: FeedArchive(in: archive, named: "letters")),
            queue: BackendQueue(lanes: LanePlan(network: LaneLimits(width: 4)), executor: executor), archive: archive)
    }

    private func screen(
        _ visible: Range<Int>, in process: Process, _ arrangement: LetterArrangement? = nil
    ) -> FeedController<LetterFeed> {
        let controller = FeedController(feed: feed, memory: process.memory, queue: process.queue, clock: clock)
        controller.start()
        controller.show(Viewport(visible: visible))
        controller.arrange(arrangement)
        executor.runAll()
        return controller
    }

    /// A process that loads these rows, and ends.
    private func load(_ visible: Range<Int>) async {
        let process = process()
        screen(visible, in: process).stop()
        executor.runAll()
        await process.archive.flush()
    }

    private func titles(_ screen: FeedController<LetterFeed>, _ count: Int) -> [String] {
        screen.list.snapshot.references.prefix(count).map { screen.state(of: $0.id).row ?? "?" }
    }

    @Test func `Without the server the list and its rows are shown as they were stored, and the failure is told`() async {
        await load(0..<3)
        let asked = feed.log.rows
        feed.isListBroken.withLock { $0 = true }
        feed.failing.withLock { $0 = ["d"] }

        let process = process()
        let screen = screen(0..<4, in: process)

        #expect(screen.list.snapshot.count == 26)
        #expect(screen.list.state == .failed)
        #expect(screen.list.failure is LetterFeed.Smudged)
        #expect(titles(screen, 4) == ["a1", "b1", "c1", "?"])
        #expect(!screen.hasFailed("a") && screen.hasFailed("d"))
        #expect(feed.log.rows == asked + ["d"])
        #expect(process.memory.archivedAt("a") != nil)
    }

    @Test func `The first list that is fetched makes stored rows outdated: they stay, and are loaded anew`() async throws {
        await load(0..<3)
        feed.edition.withLock { $0 = 2 }
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
        #expect(process.memory.archivedAt("a") == nil)
    }

    @Test func `A stored list stays until one is fetched, and then what failed is tried again`() async {
        await load(0..<2)
        feed.isListBroken.withLock { $0 = true }
        feed.failing.withLock { $0 = ["c"] }
        let process = process()
        let first = screen(0..<3, in: process)
        feed.isListBroken.withLock { $0 = false }
        feed.failing.withLock { $0 = [] }
        feed.edition.withLock { $0 = 2 }

        let second = screen(0..<3, in: process)

        for screen in [first, second] {
            #expect(screen.list.state == .loaded && screen.list.failure == nil)
            #expect(titles(screen, 3) == ["a2", "b2", "c2"])
        }
    }

    @Test func `A row that has left the list is removed with the next list that is fetched, and never through a failure`() async {
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

    @Test func `What is stored is searched and sorted as a whole without the server, rows out of view too`() async {
        await load(0..<20)
        feed.isListBroken.withLock { $0 = true }
        feed.failing.withLock { $0 = Set("abcdefghijklmnopqrstuvwxyz".map { "\($0)" }) }

        let backwards = screen(0..<3, in: process(), LetterArrangement(isBackwards: true))
        clock.advance(by: FeedController<LetterFeed>.rearrangeInterval)
        executor.runAll()
        #expect(backwards.list.snapshot.knownCount == 20)
        #expect(titles(backwards, 3) == ["t1", "s1", "r1"])

        let found = screen(0..<3, in: process(), LetterArrangement(containing: "bk"))
        clock.advance(by: FeedController<LetterFeed>.rearrangeInterval)
        executor.runAll()
        #expect(found.list.snapshot.arrangedCount == 2)
        #expect(titles(found, 2) == ["b1", "k1"])
    }

    @Test func `Rows that are stored are not loaded to be sorted, those that are not stored are`() async {
        await load(0..<20)
        let asked = feed.log.rows.count
        feed.isListBroken.withLock { $0 = true }

        let backwards = screen(0..<1, in: process(), LetterArrangement(isBackwards: true))
        clock.advance(by: FeedController<LetterFeed>.rearrangeInterval)
        executor.runAll()

        #expect(backwards.list.snapshot.knownCount == 26)
        #expect(Set(feed.log.rows.dropFirst(asked)) == ["u", "v", "w", "x", "y", "z"])
    }

    @Test func `A list that is fetched before the stored one was read is shown, and stored after it`() async {
        await load(0..<3)
        let process = process()

        process.memory.store(["a", "b"].map { LetterFeed.Letter(id: $0) }, fetched: nil, refreshedAt: nil)
        await process.archive.flush()
        #expect(await store.isStored("letters/row/c"))
        process.memory.restore(await process.memory.archive?.list())
        await process.archive.flush()

        #expect(process.memory.snapshot?.count == 2)
        #expect(await !store.isStored("letters/row/c"))
    }

    @Test func `Without an archive nothing is stored or read`() {
        let queue = BackendQueue(executor: executor)
        let screen = FeedController(feed: feed, memory: FeedMemory<LetterFeed>(), queue: queue, clock: clock)
        screen.start()
        screen.show(Viewport(visible: 0..<2))
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
