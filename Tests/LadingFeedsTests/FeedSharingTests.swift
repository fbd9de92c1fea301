import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of screens that share a cache.
@Suite struct FeedSharingTests {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed = LetterFeed()
    private let cache = FeedCache<LetterFeed>(traceLimit: 512)

    init() {
        queue = BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: 2)), executor: executor)
    }

    private func screen(_ visible: Range<Int>) -> FeedController<LetterFeed> {
        let controller = FeedController(feed: feed, cache: cache, queue: queue, clock: clock)
        controller.start()
        controller.setViewport(Viewport(visible: visible))
        executor.runAll()
        return controller
    }

    private struct WeakList {
        weak var list: FeedSnapshot<LetterFeed.Letter>?
    }

    private func updates(of controller: FeedController<LetterFeed>) async -> FeedUpdate<String>? {
        await controller.updates.makeAsyncIterator().next()
    }

    @Test func `A row that one screen reloads is updated on all screens that have it in view`() async {
        let near = screen(0..<3)
        let far = screen(20..<23)
        _ = await (updates(of: near), updates(of: far))

        cache.store("a9", for: "a")

        #expect(near.state(of: "a").row == "a9")
        #expect(await updates(of: near)?.rows == ["a"])
        far.stop()
        #expect(await updates(of: far) == nil)
    }

    @Test func `A list that one screen refreshes is shown by all, and their rows are reloaded`() {
        let one = screen(0..<2)
        let other = screen(0..<2)
        feed.version.withLock { $0 = 2 }

        one.refresh()
        executor.runAll()

        #expect(other.list.revision == 1)
        #expect(other.state(of: "a").row == "a2")
        #expect(feed.log.rows == ["b", "a", "b", "a"])
    }

    @Test func `A screen that is notified of a refreshed list after others loads no row from the list before`() {
        let (feed, cache) = (EditionFeed(), FeedCache<EditionFeed>())
        let screens = Mutex<[FeedController<EditionFeed>]>([])
        // Each screen shows another row, and reports it again whenever the list of any screen changes.
        let reportViewports: @Sendable () -> Void = {
            for (index, screen) in screens.withLock({ $0 }).enumerated() { screen.setViewport(Viewport(visible: index..<index + 1)) }
        }
        for _ in 0..<3 {
            let screen = FeedController(feed: feed, cache: cache, queue: queue, clock: clock) { update in
                if update.isListChanged { reportViewports() }
            }
            screen.start()
            screens.withLock { $0.append(screen) }
        }
        executor.runAll()
        feed.edition.withLock { $0 = 2 }

        screens.withLock { $0[0] }.refresh()
        executor.runAll()

        #expect(["a", "b", "c"].map { cache.row(for: $0) } == ["a2", "b2", "c2"])
        screens.withLock { $0 = [] }
    }

    @Test func `Many screens that start at once fetch and apply the list once`() {
        let screens = (0..<50).map { _ in FeedController(feed: feed, cache: cache, queue: queue, clock: clock) }
        for screen in screens { screen.start() }

        executor.runAll()

        #expect(screens.allSatisfy { $0.list.revision == 1 })
        #expect(Set(screens.map { ObjectIdentifier($0.list.snapshot) }).count == 1)
    }

    @Test func `A changed list preserves the position of the first visible row or its nearest neighbour`() {
        let controller = screen(10..<12)
        feed.hidden.withLock { $0 = ["a", "b", "k"] }

        controller.refresh()
        executor.runAll()

        #expect(controller.state.withLock { $0.viewport?.visible } == 7..<9)
        #expect(controller.state(of: "l").isLoaded)
    }

    @Test func `A row that fails after a refresh is shown as stale with its error`() {
        let controller = screen(0..<1)
        feed.failing.withLock { $0 = ["a"] }

        controller.refresh()
        executor.runAll()

        guard case .stale("a1", let error) = controller.state(of: "a") else {
            Issue.record("\(controller.state(of: "a"))")
            return
        }
        #expect(error is LetterFeed.LoadFailure)
    }

    @Test func `A refresh of a screen with another queue replaces the list and the rows of the queue before`() {
        screen(1..<2).stop()
        feed.hidden.withLock { $0 = ["z"] }
        feed.version.withLock { $0 = 2 }
        // The numbers of its operations are those of the operations of the queue before.
        let next = BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: 2)), executor: executor)
        let controller = FeedController(feed: feed, cache: cache, queue: next, clock: clock)
        controller.setViewport(Viewport(visible: 1..<2))

        controller.refresh()
        executor.runAll()

        #expect(controller.list.snapshot.count == 25)
        #expect(controller.state(of: "b").row == "b2")
    }

    @Test func `A row of an older refresh is dropped`() {
        let controller = screen(0..<1)
        let older = cache.loadStart
        controller.refresh()
        executor.runAll()

        cache.store("a0", for: "a", fetchEpoch: nil, older)

        #expect(controller.state(of: "a").row == "a1")
    }

    @Test func `A local change of a row is not reverted by a load that began before it`() {
        let controller = screen(10..<11)
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        controller.setViewport(Viewport(visible: 0..<1))
        executor.runAll()
        #expect(gate.waiterCount == 1)

        cache.store("a9", for: "a")
        gate.open()
        executor.runAll()

        #expect(controller.state(of: "a").row == "a9")
        feed.version.withLock { $0 = 2 }
        controller.refresh()
        executor.runAll()
        #expect(controller.state(of: "a").row == "a2")
    }

    @Test func `Lists that were replaced are released`() {
        let cache = FeedCache<LetterFeed>()
        let controller = FeedController(feed: feed, cache: cache, queue: queue, clock: clock)
        controller.setViewport(Viewport(visible: 0..<3))
        let lists = (0..<300).map { number in
            cache.store(["a", "b", "\(number)"].map { LetterFeed.Letter(id: $0) }, fetchEpoch: nil, refreshEpoch: nil)
            return WeakList(list: cache.snapshot)
        }

        #expect(lists.filter { $0.list != nil }.count <= 4)
    }

    @Test func `A deallocated screen receives no notifications`() {
        var controller: FeedController<LetterFeed>? = screen(0..<1)
        weak let gone = controller
        controller = nil

        cache.store("a9", for: "a")

        #expect(gone == nil)
        #expect(cache.state.withLock { $0.observations.all.isEmpty })
    }

    @Test func `A scroll without a final report comes to rest after the velocity lifetime`() {
        let controller = screen(0..<3)
        controller.setViewport(Viewport(visible: 10..<13, rowsPerSecond: 900))
        executor.runAll()
        #expect(!feed.log.rows.contains("l"))

        clock.advance(by: .milliseconds(500))
        executor.runAll()

        #expect(controller.state(of: "l").isLoaded)
    }

    @Test func `A continuing scroll is not treated as at rest`() {
        let controller = screen(0..<3)
        for step in 0..<8 {
            controller.setViewport(Viewport(visible: (10 + step)..<(13 + step), rowsPerSecond: 900))
            executor.runAll()
            clock.advance(by: .milliseconds(100))
            executor.runAll()
        }

        #expect(feed.log.rows.filter { $0 > "c" } == [])
    }

    @Test func `The trace of all screens is bounded and replays to the same decisions`() {
        let screens = [screen(0..<3), screen(5..<9)]
        for index in 0..<400 {
            screens[index % 2].setViewport(Viewport(visible: index % 20..<(index % 20 + 3), rowsPerSecond: Double(index % 5) * 9))
        }
        executor.runAll()

        let entries = cache.decisions.withLock { $0.entries }

        #expect(entries.count >= 400 && entries.count <= 512)
        #expect(Set(entries.map(\.consumer)).count == 2)
        for entry in entries { #expect(entry.replay() == entry.effects) }
    }
}
