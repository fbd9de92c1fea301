import LadingFeeds
import LadingOperations
import LadingTesting
import Synchronization
import Testing

/// Tests of the whole pipeline from viewport to operation, on a manual task executor.
@Suite struct FeedControllerTests {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed = LetterFeed()
    private let cache = FeedCache<LetterFeed>()

    init() {
        queue = BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: 2)), clock: clock, executor: executor)
    }

    private func controller() -> FeedController<LetterFeed> {
        FeedController(feed: feed, cache: cache, queue: queue)
    }

    @Test func `The list is available before any row is loaded`() {
        let controller = controller()

        controller.start()
        executor.runAll()

        #expect(controller.list.snapshot.count == 26)
        #expect(feed.log.rows == [])
    }

    @Test func `Only rows in view are loaded, nearest to the middle first`() {
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 10..<15))

        executor.runAll()

        #expect(Set(feed.log.rows) == ["k", "l", "m", "n", "o"])
        #expect(controller.state(of: "m").isLoaded)
        #expect(!controller.state(of: "a").isLoaded)
    }

    @Test(arguments: [(95_000, true), (50_000, false)])
    func `A nearly complete row that leaves the view is stored and not fetched again`(completed: Int, isKept: Bool) {
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        feed.progress.withLock { $0 = (completed, 100_000) }
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<1))
        executor.runAll()

        controller.setViewport(Viewport(visible: 20..<21))
        executor.runAll()
        gate.open()
        executor.runAll()
        #expect(controller.state(of: "a").isLoaded == isKept)
        controller.setViewport(Viewport(visible: 0..<1))
        executor.runAll()

        #expect(feed.log.rows.filter { $0 == "a" }.count == (isKept ? 1 : 2))
        #expect(feed.log.cancelled == (isKept ? [] : ["a"]))
    }

    @Test func `After a jump the last screen is loaded first, and rows out of view are cancelled`() {
        feed.gate.withLock { $0 = Gate() }
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<5))
        executor.runAll()
        #expect(feed.log.rows == ["c", "b"])

        controller.setViewport(Viewport(visible: 20..<25))
        executor.runAll()

        #expect(feed.log.cancelled.sorted() == ["b", "c"])
        #expect(Array(feed.log.rows.dropFirst(2).prefix(2)).sorted() == ["v", "w"])
        #expect(!feed.log.rows.contains("a"))
    }

    @Test func `A row loaded by another screen is available at once and not loaded again`() {
        let first = controller()
        first.start()
        first.setViewport(Viewport(visible: 0..<3))
        executor.runAll()
        let loaded = feed.log.rows.count

        let second = controller()
        second.start()
        second.setViewport(Viewport(visible: 0..<3))

        #expect(second.list.snapshot.count == 26)
        #expect(second.state(of: "a").isLoaded)
        executor.runAll()
        #expect(feed.log.rows.count == loaded)
    }

    @Test func `Two screens that show the same row share its operation`() {
        let controllers = [controller(), controller()]
        for controller in controllers {
            controller.start()
            controller.setViewport(Viewport(visible: 0..<2))
        }

        executor.runAll()

        #expect(feed.log.rows.sorted() == ["a", "b"])
        #expect(controllers.allSatisfy { $0.state(of: "a").isLoaded })
    }

    @Test func `A failed row reports its error and can be retried`() {
        feed.failing.withLock { $0 = ["b"] }
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()
        guard case .failed(let error) = controller.state(of: "b") else {
            Issue.record("\(controller.state(of: "b"))")
            return
        }
        #expect(error is LetterFeed.LoadFailure)

        feed.failing.withLock { $0 = [] }
        controller.retry("b")
        executor.runAll()

        #expect(controller.state(of: "b").isLoaded)
    }

    @Test func `Rows that failed for one reason are retried together, starting with those in view`() {
        feed.failing.withLock { $0 = ["a", "k", "l", "m"] }
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<1))
        executor.runAll()
        controller.setViewport(Viewport(visible: 10..<13))
        executor.runAll()
        feed.failing.withLock { $0 = [] }
        let before = feed.log.rows.count

        controller.retryFailures { !($0 is LetterFeed.LoadFailure) }
        executor.runAll()
        #expect(feed.log.rows.count == before)
        controller.retryFailures { $0 is LetterFeed.LoadFailure }
        executor.runAll()

        #expect(feed.log.rows[before...].first == "l")
        #expect(feed.log.rows[before...].sorted() == ["k", "l", "m"])
        #expect(["k", "l", "m"].allSatisfy { controller.state(of: $0).isLoaded && !controller.hasFailed($0) })
    }

    @Test func `Retrying failures fetches a failed list again, even if no list was ever loaded`() {
        feed.isListBroken.withLock { $0 = true }
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()
        #expect(controller.list.state == .failed)
        feed.isListBroken.withLock { $0 = false }

        controller.retryFailures { $0 is LetterFeed.LoadFailure }

        #expect(controller.list.failure == nil)
        executor.runAll()
        #expect(controller.list.state == .loaded && controller.list.snapshot.count == 26)
        #expect(controller.state(of: "b").isLoaded)
    }

    @Test func `Retrying failures loads rows that failed during indexing`() {
        feed.failing.withLock { $0 = Set("mnopqrstuvwxyz".map(String.init)) }
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        controller.setQuery(LetterQuery(text: "z"))
        executor.runAll()
        clock.advance(by: .seconds(1))
        executor.runAll()
        #expect(cache.row(for: "z") == nil)
        feed.failing.withLock { $0 = [] }

        controller.retryFailures { $0 is LetterFeed.LoadFailure }
        executor.runAll()

        #expect(cache.row(for: "z") != nil)
    }

    @Test func `The failure handler receives each error once it can be retried`() {
        let failed = Mutex<[String]>([])
        feed.failing.withLock { $0 = ["b"] }
        let controller = FeedController(
            feed: feed, cache: cache, queue: queue, observer: { _ in }, onFailure: { error in failed.withLock { $0.append("\(error)") } })
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()
        #expect(failed.withLock { $0 } == ["LoadFailure()"])

        feed.isListBroken.withLock { $0 = true }
        controller.refresh()
        executor.runAll()

        #expect(failed.withLock { $0 } == ["LoadFailure()", "LoadFailure()"])
    }

    @Test func `A failed refresh preserves the list and its rows and reports the error`() {
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()

        feed.isListBroken.withLock { $0 = true }
        controller.refresh()
        executor.runAll()

        #expect(controller.list.state == .failed)
        #expect(controller.list.failure is LetterFeed.LoadFailure)
        #expect(controller.list.snapshot.count == 26)
        #expect(controller.state(of: "a").isLoaded)
    }

    @Test func `A refresh reloads rows in view and shows the old ones meanwhile`() {
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<2))
        executor.runAll()

        feed.version.withLock { $0 = 2 }
        controller.refresh()
        #expect(controller.state(of: "a").row == "a1")
        executor.runAll()

        #expect(controller.state(of: "a").row == "a2")
        #expect(controller.state(of: "c").row == nil)
    }

    @Test func `A refresh sets the loading state at once, even while updates are delivered`() {
        let pendingController = Mutex<FeedController<LetterFeed>?>(nil)
        let state = Mutex<FeedList<LetterFeed.Letter>.State?>(nil)
        let controller = FeedController(feed: feed, cache: cache, queue: queue) { _ in
            guard let pending = pendingController.withLock({ $0.take() }) else { return }
            pending.refresh()
            state.withLock { $0 = pending.list.state }
        }
        controller.start()
        executor.runAll()
        #expect(controller.list.state == .loaded)
        pendingController.withLock { $0 = controller }

        controller.setViewport(Viewport(visible: 0..<1))

        #expect(state.withLock { $0 } == .loading)
        executor.runAll()
        #expect(controller.list.state == .loaded)
    }

    @Test func `A refresh joins no operation that began before it`() {
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        let early = controller()
        early.start()
        early.setViewport(Viewport(visible: 0..<1))
        executor.runAll()
        feed.version.withLock { $0 = 2 }

        let controller = controller()
        controller.refresh()
        controller.setViewport(Viewport(visible: 0..<1))
        executor.runAll()
        gate.open()
        executor.runAll()

        #expect(controller.state(of: "a").row == "a2")
        #expect(feed.log.rows == ["a", "a"])
    }

    @Test func `Cancellation is not shown as a failure`() {
        feed.gate.withLock { $0 = Gate() }
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<2))
        executor.runAll()

        queue.cancelAll()
        executor.runAll()

        if case .failed(let error) = controller.state(of: "a") { Issue.record(error) }
    }

    @Test func `Updates coalesce changes until they are read`() async {
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()

        let update = await controller.updates.makeAsyncIterator().next()

        #expect(update?.isListChanged == true)
        #expect(update?.rows == ["a", "b", "c"])
    }

    @Test func `A stopped controller loads nothing more and ends its updates`() async {
        feed.gate.withLock { $0 = Gate() }
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<2))
        executor.runAll()

        controller.stop()
        controller.setViewport(Viewport(visible: 5..<9))
        executor.runAll()

        #expect(feed.log.rows == ["b", "a"])
        #expect(queue.isIdle)
        #expect(await controller.updates.makeAsyncIterator().next() == nil)
    }

    @Test func `The number of rows loaded at once is limited, however large the screen`() {
        let viewport = Viewport(visible: 0..<1_000_000)

        #expect(viewport.visible.count == Viewport.rowLimit)
        #expect(viewport.middle == 500_000)
    }

    @Test func `The trace records rows that came into view and were known`() {
        let first = controller()
        first.start()
        first.setViewport(Viewport(visible: 0..<3))
        executor.runAll()

        let second = controller()
        second.start()
        second.setViewport(Viewport(visible: 1..<4))
        second.setViewport(Viewport(visible: 1..<5))
        executor.runAll()

        #expect(queue.trace().filter { $0.outcome == .cacheHit }.map(\.operation) == ["String b", "String c"])
    }

    // MARK: Retries

    @Test func `A row that waits for a retry reports its error, and is shown once loaded`() {
        feed.failing.withLock { $0 = ["b"] }
        feed.retry.withLock { $0 = OperationRetry { _, _ in .seconds(1) } }
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()

        guard case .retrying(let error) = controller.state(of: "b") else {
            Issue.record("\(controller.state(of: "b"))")
            return
        }
        #expect(error is LetterFeed.LoadFailure)
        #expect(controller.state(of: "a").isLoaded)
        feed.failing.withLock { $0 = [] }
        clock.advance(by: .seconds(1))
        executor.runAll()

        #expect(controller.state(of: "b").isLoaded)
    }

    @Test func `Observers are notified of retries of rows and of the list`() {
        feed.failing.withLock { $0 = ["b"] }
        feed.isListBroken.withLock { $0 = true }
        feed.retry.withLock { $0 = OperationRetry { _, _ in .seconds(1) } }
        let notified = Mutex((rows: [String: Int](), lists: 0))
        let controller = FeedController(feed: feed, cache: cache, queue: queue) { update in
            notified.withLock { counts in
                for row in update.rows { counts.rows[row, default: 0] += 1 }
                if update.isListChanged { counts.lists += 1 }
            }
        }
        controller.start()
        executor.runAll()
        #expect(controller.list.state == .loading && controller.list.failure is LetterFeed.LoadFailure)
        #expect(notified.withLock { $0.lists } == 2)

        feed.isListBroken.withLock { $0 = false }
        clock.advance(by: .seconds(1))
        executor.runAll()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()

        #expect(controller.list.state == .loaded && controller.list.failure == nil)
        // Once for the start and once for the retry.
        #expect(notified.withLock { $0.rows["b"] } == 2)
    }
}
