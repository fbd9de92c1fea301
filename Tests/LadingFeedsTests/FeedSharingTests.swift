import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// What screens that share a memory learn from one another.
@Suite struct FeedSharingTests {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed = LetterFeed()
    private let memory = FeedMemory<LetterFeed>()

    init() {
        queue = BackendQueue(lanes: LanePlan(network: LaneLimits(width: 2)), executor: executor)
    }

    private func screen(_ visible: Range<Int>) -> FeedController<LetterFeed> {
        let controller = FeedController(feed: feed, memory: memory, queue: queue, clock: clock)
        controller.start()
        controller.show(Viewport(visible: visible))
        executor.runAll()
        return controller
    }

    private func updates(of controller: FeedController<LetterFeed>) async -> FeedUpdate<String>? {
        await controller.updates.makeAsyncIterator().next()
    }

    @Test func `A row that one screen loads anew is shown by all that have it in view, and by no others`() async {
        let near = screen(0..<3)
        let far = screen(20..<23)
        _ = await (updates(of: near), updates(of: far))

        memory.store("a9", for: "a")

        #expect(near.state(of: "a").row == "a9")
        #expect(await updates(of: near)?.rows == ["a"])
        far.stop()
        #expect(await updates(of: far) == nil)
    }

    @Test func `A list that one screen refreshes is shown by all, and their rows are loaded anew`() {
        let one = screen(0..<2)
        let other = screen(0..<2)
        feed.edition.withLock { $0 = 2 }

        one.refresh()
        executor.runAll()

        #expect(other.list.number == 1)
        #expect(other.state(of: "a").row == "a2")
        #expect(feed.log.rows == ["b", "a", "b", "a"])
    }

    @Test func `However many screens start at once, the list is fetched and taken in once`() {
        let screens = (0..<50).map { _ in FeedController(feed: feed, memory: memory, queue: queue, clock: clock) }
        for screen in screens { screen.start() }

        executor.runAll()

        #expect(screens.allSatisfy { $0.list.number == 1 })
        #expect(Set(screens.map { ObjectIdentifier($0.list.snapshot) }).count == 1)
    }

    @Test func `A list that others have changed keeps the first visible row in place, or its nearest neighbour`() {
        let controller = screen(10..<12)
        feed.hidden.withLock { $0 = ["a", "b", "k"] }

        controller.refresh()
        executor.runAll()

        #expect(controller.state.withLock { $0.viewport?.visible } == 7..<9)
        #expect(controller.state(of: "l").isLoaded)
    }

    @Test func `A row that could not be loaded again after a refresh is shown with the reason`() {
        let controller = screen(0..<1)
        feed.failing.withLock { $0 = ["a"] }

        controller.refresh()
        executor.runAll()

        guard case .stale("a1", let error) = controller.state(of: "a") else {
            Issue.record("\(controller.state(of: "a"))")
            return
        }
        #expect(error is LetterFeed.Smudged)
    }

    @Test func `A row that belongs to an older refresh is dropped, whoever brings it`() {
        let controller = screen(0..<1)
        let older = memory.generation.number
        controller.refresh()
        executor.runAll()

        memory.store("a0", for: "a", fetched: nil, generation: older)

        #expect(controller.state(of: "a").row == "a1")
    }

    @Test func `A screen that is gone is not told any more`() {
        var controller: FeedController<LetterFeed>? = screen(0..<1)
        weak let gone = controller
        controller = nil

        memory.store("a9", for: "a")

        #expect(gone == nil)
        #expect(memory.state.withLock { $0.watches.all.isEmpty })
    }

    @Test func `A scroll whose end is never told comes to rest by itself`() {
        let controller = screen(0..<3)
        controller.show(Viewport(visible: 10..<13, rowsPerSecond: 900))
        executor.runAll()
        #expect(!feed.log.rows.contains("l"))

        clock.advance(by: .milliseconds(500))
        executor.runAll()

        #expect(controller.state(of: "l").isLoaded)
    }

    @Test func `A scroll that goes on is not taken for rest`() {
        let controller = screen(0..<3)
        for step in 0..<8 {
            controller.show(Viewport(visible: (10 + step)..<(13 + step), rowsPerSecond: 900))
            executor.runAll()
            clock.advance(by: .milliseconds(100))
            executor.runAll()
        }

        #expect(feed.log.rows.filter { $0 > "c" } == [])
    }

    @Test func `The record of a controller is bounded and gives the same decisions again`() {
        let controller = screen(0..<3)
        for index in 0..<23 { controller.show(Viewport(visible: index..<(index + 3), rowsPerSecond: Double(index % 5) * 9)) }
        executor.runAll()

        let record = controller.record

        #expect((8...FeedController<LetterFeed>.recordLimit).contains(record.entries.count))
        record.replay { step in #expect(step.effects == step.entry.effects) }
    }
}
