import LadingFeeds
import LadingOperations
import LadingTesting
import Synchronization
import Testing

/// The whole pipeline from viewport to operation, on a manual task executor.
@Suite struct FeedControllerTests {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed = LetterFeed()
    private let memory = FeedMemory<LetterFeed>()

    init() {
        queue = BackendQueue(lanes: LanePlan(network: LaneLimits(width: 2)), clock: clock, executor: executor)
    }

    private func controller() -> FeedController<LetterFeed> {
        FeedController(feed: feed, memory: memory, queue: queue)
    }

    @Test func `The list is there before any row is loaded`() {
        let controller = controller()

        controller.start()
        executor.runAll()

        #expect(controller.list.snapshot.count == 26)
        #expect(feed.log.rows == [])
    }

    @Test func `Rows in view are loaded, nearest to the middle first, and no others`() {
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 10..<15))

        executor.runAll()

        #expect(Set(feed.log.rows) == ["k", "l", "m", "n", "o"])
        #expect(controller.state(of: "m").isLoaded)
        #expect(!controller.state(of: "a").isLoaded)
    }

    @Test(arguments: [(95_000, true), (50_000, false)])
    func `A row that leaves the view when most of it has come is kept, and not fetched again`(completed: Int, isKept: Bool) {
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        feed.progress.withLock { $0 = (completed, 100_000) }
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<1))
        executor.runAll()

        controller.show(Viewport(visible: 20..<21))
        executor.runAll()
        gate.open()
        executor.runAll()
        #expect(controller.state(of: "a").isLoaded == isKept)
        controller.show(Viewport(visible: 0..<1))
        executor.runAll()

        #expect(feed.log.rows.filter { $0 == "a" }.count == (isKept ? 1 : 2))
        #expect(feed.log.cancelled == (isKept ? [] : ["a"]))
    }

    @Test func `After a jump the last screen is loaded first, and what left the view is cancelled`() {
        feed.gate.withLock { $0 = Gate() }
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<5))
        executor.runAll()
        #expect(feed.log.rows == ["c", "b"])

        controller.show(Viewport(visible: 20..<25))
        executor.runAll()

        #expect(feed.log.cancelled.sorted() == ["b", "c"])
        #expect(Array(feed.log.rows.dropFirst(2).prefix(2)).sorted() == ["v", "w"])
        #expect(!feed.log.rows.contains("a"))
    }

    @Test func `A row known from another screen is there at once and is not loaded again`() {
        let first = controller()
        first.start()
        first.show(Viewport(visible: 0..<3))
        executor.runAll()
        let loaded = feed.log.rows.count

        let second = controller()
        second.start()
        second.show(Viewport(visible: 0..<3))

        #expect(second.list.snapshot.count == 26)
        #expect(second.state(of: "a").isLoaded)
        executor.runAll()
        #expect(feed.log.rows.count == loaded)
    }

    @Test func `Two screens that look at the same row share its flight`() {
        let controllers = [controller(), controller()]
        for controller in controllers {
            controller.start()
            controller.show(Viewport(visible: 0..<2))
        }

        executor.runAll()

        #expect(feed.log.rows.sorted() == ["a", "b"])
        #expect(controllers.allSatisfy { $0.state(of: "a").isLoaded })
    }

    @Test func `A failed row says why and can be retried`() {
        feed.failing.withLock { $0 = ["b"] }
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<3))
        executor.runAll()
        guard case .failed(let error) = controller.state(of: "b") else {
            Issue.record("\(controller.state(of: "b"))")
            return
        }
        #expect(error is LetterFeed.Smudged)

        feed.failing.withLock { $0 = [] }
        controller.retry("b")
        executor.runAll()

        #expect(controller.state(of: "b").isLoaded)
    }

    @Test func `Rows that failed for one reason are retried together, those in view first, and no others`() {
        feed.failing.withLock { $0 = ["a", "k", "l", "m"] }
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<1))
        executor.runAll()
        controller.show(Viewport(visible: 10..<13))
        executor.runAll()
        feed.failing.withLock { $0 = [] }
        let before = feed.log.rows.count

        controller.retryFailures { !($0 is LetterFeed.Smudged) }
        executor.runAll()
        #expect(feed.log.rows.count == before)
        controller.retryFailures { $0 is LetterFeed.Smudged }
        executor.runAll()

        #expect(feed.log.rows[before...].first == "l")
        #expect(feed.log.rows[before...].sorted() == ["k", "l", "m"])
        #expect(["k", "l", "m"].allSatisfy { controller.state(of: $0).isLoaded && !controller.hasFailed($0) })
    }

    @Test func `A list that failed is fetched again when that is asked for, also one that was never there`() {
        feed.isListBroken.withLock { $0 = true }
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<3))
        executor.runAll()
        #expect(controller.list.state == .failed)
        feed.isListBroken.withLock { $0 = false }

        controller.retryFailures { $0 is LetterFeed.Smudged }

        #expect(controller.list.failure == nil)
        executor.runAll()
        #expect(controller.list.state == .loaded && controller.list.snapshot.count == 26)
        #expect(controller.state(of: "b").isLoaded)
    }

    @Test func `Rows that failed for the arrangement are loaded for it`() {
        feed.failing.withLock { $0 = Set("mnopqrstuvwxyz".map(String.init)) }
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<3))
        controller.arrange(LetterArrangement(containing: "z"))
        executor.runAll()
        clock.advance(by: .seconds(1))
        executor.runAll()
        #expect(memory.row(for: "z") == nil)
        feed.failing.withLock { $0 = [] }

        controller.retryFailures { $0 is LetterFeed.Smudged }
        executor.runAll()

        #expect(memory.row(for: "z") != nil)
    }

    @Test func `Whoever watches for failures learns of each when it can be retried`() {
        let failed = Mutex<[String]>([])
        feed.failing.withLock { $0 = ["b"] }
        let controller = FeedController(
            feed: feed, memory: memory, queue: queue, observer: { _ in }, onFailure: { error in failed.withLock { $0.append("\(error)") } })
        controller.start()
        controller.show(Viewport(visible: 0..<3))
        executor.runAll()
        #expect(failed.withLock { $0 } == ["Smudged()"])

        feed.isListBroken.withLock { $0 = true }
        controller.refresh()
        executor.runAll()

        #expect(failed.withLock { $0 } == ["Smudged()", "Smudged()"])
    }

    @Test func `A refresh that fails keeps the list and its rows and says so`() {
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<3))
        executor.runAll()

        feed.isListBroken.withLock { $0 = true }
        controller.refresh()
        executor.runAll()

        #expect(controller.list.state == .failed)
        #expect(controller.list.failure is LetterFeed.Smudged)
        #expect(controller.list.snapshot.count == 26)
        #expect(controller.state(of: "a").isLoaded)
    }

    @Test func `A refresh loads rows in view again, and shows the old ones meanwhile`() {
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<2))
        executor.runAll()

        feed.edition.withLock { $0 = 2 }
        controller.refresh()
        #expect(controller.state(of: "a").row == "a1")
        executor.runAll()

        #expect(controller.state(of: "a").row == "a2")
        #expect(controller.state(of: "c").row == nil)
    }

    @Test func `A refresh is under way as soon as it is asked for, also when other changes are being told`() {
        let asking = Mutex<FeedController<LetterFeed>?>(nil)
        let state = Mutex<FeedList<LetterFeed.Letter>.State?>(nil)
        let controller = FeedController(feed: feed, memory: memory, queue: queue) { _ in
            guard let asker = asking.withLock({ $0.take() }) else { return }
            asker.refresh()
            state.withLock { $0 = asker.list.state }
        }
        controller.start()
        executor.runAll()
        #expect(controller.list.state == .loaded)
        asking.withLock { $0 = controller }

        controller.show(Viewport(visible: 0..<1))

        #expect(state.withLock { $0 } == .loading)
        executor.runAll()
        #expect(controller.list.state == .loaded)
    }

    @Test func `A refresh joins no flight that began before it`() {
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        let early = controller()
        early.start()
        early.show(Viewport(visible: 0..<1))
        executor.runAll()
        feed.edition.withLock { $0 = 2 }

        let controller = controller()
        controller.refresh()
        controller.show(Viewport(visible: 0..<1))
        executor.runAll()
        gate.open()
        executor.runAll()

        #expect(controller.state(of: "a").row == "a2")
        #expect(feed.log.rows == ["a", "a"])
    }

    @Test func `Cancellation is no failure`() {
        feed.gate.withLock { $0 = Gate() }
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<2))
        executor.runAll()

        queue.cancelAll()
        executor.runAll()

        if case .failed(let error) = controller.state(of: "a") { Issue.record(error) }
    }

    @Test func `Updates gather what changed while nobody read`() async {
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<3))
        executor.runAll()

        let update = await controller.updates.makeAsyncIterator().next()

        #expect(update?.isListChanged == true)
        #expect(update?.rows == ["a", "b", "c"])
    }

    @Test func `A controller that is stopped loads nothing more and ends its updates`() async {
        feed.gate.withLock { $0 = Gate() }
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<2))
        executor.runAll()

        controller.stop()
        controller.show(Viewport(visible: 5..<9))
        executor.runAll()

        #expect(feed.log.rows == ["b", "a"])
        #expect(queue.isIdle)
        #expect(await controller.updates.makeAsyncIterator().next() == nil)
    }

    @Test func `However large a screen claims to be, the rows loaded at once are bounded`() {
        let viewport = Viewport(visible: 0..<1_000_000)

        #expect(viewport.visible.count == Viewport.rowLimit)
        #expect(viewport.middle == 500_000)
    }

    @Test func `The trace tells of rows that came into view and were known`() {
        let first = controller()
        first.start()
        first.show(Viewport(visible: 0..<3))
        executor.runAll()

        let second = controller()
        second.start()
        second.show(Viewport(visible: 1..<4))
        second.show(Viewport(visible: 1..<5))
        executor.runAll()

        #expect(queue.trace().filter { $0.outcome == .known }.map(\.operation) == ["String b", "String c"])
    }

    // MARK: What is tried again

    @Test func `A row that is tried again says why, and then is there`() {
        feed.failing.withLock { $0 = ["b"] }
        feed.retry.withLock { $0 = OperationRetry { _, _ in .seconds(1) } }
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<3))
        executor.runAll()

        guard case .retrying(let error) = controller.state(of: "b") else {
            Issue.record("\(controller.state(of: "b"))")
            return
        }
        #expect(error is LetterFeed.Smudged)
        #expect(controller.state(of: "a").isLoaded)
        feed.failing.withLock { $0 = [] }
        clock.advance(by: .seconds(1))
        executor.runAll()

        #expect(controller.state(of: "b").isLoaded)
    }

    @Test func `Screens are told when a row, or the list, is tried again`() {
        feed.failing.withLock { $0 = ["b"] }
        feed.isListBroken.withLock { $0 = true }
        feed.retry.withLock { $0 = OperationRetry { _, _ in .seconds(1) } }
        let told = Mutex((rows: [String: Int](), lists: 0))
        let controller = FeedController(feed: feed, memory: memory, queue: queue) { update in
            told.withLock { told in
                for row in update.rows { told.rows[row, default: 0] += 1 }
                if update.isListChanged { told.lists += 1 }
            }
        }
        controller.start()
        executor.runAll()
        #expect(controller.list.state == .loading && controller.list.failure is LetterFeed.Smudged)
        #expect(told.withLock { $0.lists } == 2)

        feed.isListBroken.withLock { $0 = false }
        clock.advance(by: .seconds(1))
        executor.runAll()
        controller.show(Viewport(visible: 0..<3))
        executor.runAll()

        #expect(controller.list.state == .loaded && controller.list.failure == nil)
        // Once when it began, and once when it was set back.
        #expect(told.withLock { $0.rows["b"] } == 2)
    }
}
