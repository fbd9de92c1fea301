import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of filtering and sorting while rows become known.
@Suite struct FeedQueryTests {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed = LetterFeed()
    private let cache = FeedCache<LetterFeed>()

    init() {
        queue = BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: 4, reserved: 1)), executor: executor)
    }

    private func controller() -> FeedController<LetterFeed> {
        FeedController(feed: feed, cache: cache, queue: queue, clock: clock)
    }

    private func started() -> FeedController<LetterFeed> {
        let controller = controller()
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()
        return controller
    }

    private func identifiers(_ controller: FeedController<LetterFeed>) -> String {
        controller.list.snapshot.references.map(\.id).joined()
    }

    @Test func `Known rows come first in sorted order, and unknown rows follow in server order`() {
        let controller = started()
        feed.gate.withLock { $0 = Gate() }

        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()

        #expect(identifiers(controller) == "cbadefghijklmnopqrstuvwxyz")
        #expect(controller.list.snapshot.knownCount == 3)
        #expect(controller.list.snapshot.totalCount == 26)
        #expect(controller.list.appliedQueryCount == 1)
    }

    @Test func `Unknown rows are loaded in the background and moved to their position`() {
        let controller = started()

        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()

        #expect(identifiers(controller) == "zyxwvutsrqponmlkjihgfedcba")
        #expect(controller.list.snapshot.knownCount == 26)
        #expect(controller.list.appliedQueryCount == 1)
        #expect(queue.isIdle)
    }

    @Test func `A filter shows matching rows and rows that are not loaded yet`() {
        let controller = started()
        feed.gate.withLock { $0 = Gate() }

        controller.setQuery(LetterQuery(text: "bz"))
        executor.runAll()
        #expect(identifiers(controller) == "bdefghijklmnopqrstuvwxyz")

        feed.gate.withLock { $0 }?.open()
        executor.runAll()
        #expect(identifiers(controller) == "bz")
    }

    @Test func `The default query shows the server order and stops indexing`() {
        let controller = started()
        feed.gate.withLock { $0 = Gate() }
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()

        controller.setQuery(LetterQuery())
        executor.runAll()

        #expect(identifiers(controller) == "abcdefghijklmnopqrstuvwxyz")
        #expect(feed.log.cancelled.count > 0)
        #expect(queue.isIdle)
    }

    @Test(arguments: 0..<8) func `A list that arrives while the query is cleared is shown`(jobs: Int) {
        let executor = SteppingExecutor()
        let controller = FeedController(feed: feed, cache: cache, queue: BackendQueue(executor: executor), clock: clock)
        controller.start()
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()

        controller.setQuery(nil)
        for _ in 0..<jobs { executor.runNext() }
        cache.store(["x", "y"].map { LetterFeed.Letter(id: $0) }, fetchEpoch: nil, refreshEpoch: nil)
        executor.runAll()

        #expect(identifiers(controller) == "xy")
        #expect(!controller.isApplyingQuery)
    }

    @Test func `An evaluation that others cancel is repeated`() {
        let controller = started()
        queue.pause()
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()

        queue.cancelAll()
        queue.resume()
        executor.runAll()
        #expect(controller.isApplyingQuery)
        clock.advance(by: FeedController<LetterFeed>.evaluationInterval)
        executor.runAll()

        #expect(!controller.isApplyingQuery)
        #expect(identifiers(controller) == "zyxwvutsrqponmlkjihgfedcba")
    }

    @Test func `While rows are loaded the query is evaluated at intervals, not for every row`() {
        let controller = started()
        feed.failing.withLock { $0 = ["z"] }
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()
        let number = controller.list.revision

        gate.open()
        executor.runAll()

        #expect(controller.list.revision <= number + 2)
        #expect(identifiers(controller) == "yxwvutsrqponmlkjihgfedcbaz")
    }

    @Test func `Rows in view are loaded before rows for indexing`() {
        let controller = started()
        feed.gate.withLock { $0 = Gate() }
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()
        let before = feed.log.rows.count

        controller.setViewport(Viewport(visible: 20..<22))
        executor.runAll()

        #expect(feed.log.rows.dropFirst(before).first.map { "uv".contains($0) } == true)
    }

    @Test func `Screens with equal queries share one result list`() {
        let controllers = [started(), started()]
        for controller in controllers { controller.setQuery(LetterQuery(isBackwards: true)) }
        executor.runAll()

        #expect(controllers[0].list.snapshot === controllers[1].list.snapshot)
    }

    @Test func `A refresh preserves the query, and a failed refresh preserves the list`() {
        let controller = started()
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()

        feed.isListBroken.withLock { $0 = true }
        controller.refresh()
        executor.runAll()
        #expect(identifiers(controller) == "zyxwvutsrqponmlkjihgfedcba")

        feed.isListBroken.withLock { $0 = false }
        controller.refresh()
        executor.runAll()
        #expect(identifiers(controller) == "zyxwvutsrqponmlkjihgfedcba")
        #expect(controller.list.state == .loaded)
        #expect(controller.list.failure == nil)
    }

    @Test func `A refresh reloads rows in view even if their order is unchanged`() {
        let controller = started()
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()
        feed.version.withLock { $0 = 2 }

        controller.refresh()
        executor.runAll()

        #expect(identifiers(controller) == "zyxwvutsrqponmlkjihgfedcba")
        #expect(["z", "y", "x"].map { controller.state(of: $0).row } == ["z2", "y2", "x2"])
        #expect(controller.state(of: "w").row == "w1")
    }

    @Test func `A refresh of a sorted list restarts the loads of rows in view`() {
        let controller = started()
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()
        controller.refresh()
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        executor.runAll()
        #expect(gate.waiterCount == 3)
        feed.version.withLock { $0 = 2 }

        controller.refresh()
        executor.runAll()
        gate.open()
        executor.runAll()

        #expect(["z", "y", "x"].map { controller.state(of: $0).row } == ["z2", "y2", "x2"])
    }

    // MARK: Between a refresh and its evaluation

    /// Returns a screen of a sorted list of edition 1, with all rows loaded.
    private func sorted(
        _ feed: EditionFeed, _ cache: FeedCache<EditionFeed>, on executor: SteppingExecutor
    ) -> FeedController<EditionFeed> {
        let controller = FeedController(feed: feed, cache: cache, queue: BackendQueue(executor: executor), clock: clock)
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()
        clock.advance(by: FeedController<EditionFeed>.evaluationInterval)
        executor.runAll()
        return controller
    }

    @Test func `Until the query is applied to a refreshed list, no row is loaded from the list before`() {
        let (executor, feed, cache) = (SteppingExecutor(), EditionFeed(), FeedCache<EditionFeed>())
        let controller = sorted(feed, cache, on: executor)
        let earlier = cache.snapshot
        feed.edition.withLock { $0 = 2 }

        controller.refresh()
        while cache.snapshot === earlier, executor.runNext() {}
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()

        #expect(["c", "b", "a"].map { controller.state(of: $0).row } == ["c2", "b2", "a2"])
    }

    @Test(arguments: 0..<12) func `An evaluation that began before a refreshed list arrived loads no row`(jobs: Int) {
        let (executor, feed, cache) = (SteppingExecutor(), EditionFeed(), FeedCache<EditionFeed>())
        let controller = sorted(feed, cache, on: executor)
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        feed.edition.withLock { $0 = 2 }
        controller.refresh()
        executor.runAll()

        controller.change { $0.handleEvaluation(.schedule(after: .zero)) }
        executor.run(atMost: jobs)
        gate.open()
        executor.runAll()

        #expect(["c", "b", "a"].map { controller.state(of: $0).row } == ["c2", "b2", "a2"])
    }

    @Test func `A query that is cleared before it was applied to a refreshed list shows the refreshed rows`() {
        let (executor, feed, cache) = (SteppingExecutor(), EditionFeed(), FeedCache<EditionFeed>())
        let controller = sorted(feed, cache, on: executor)
        let earlier = cache.snapshot
        feed.edition.withLock { $0 = 2 }

        controller.refresh()
        while cache.snapshot === earlier, executor.runNext() {}
        controller.setQuery(nil)
        executor.runAll()

        #expect(!controller.isApplyingQuery)
        #expect(["a", "b", "c"].map { controller.state(of: $0).row } == ["a2", "b2", "c2"])
    }

    // MARK: Indexing

    @Test func `A refresh retries rows that failed during indexing`() {
        feed.failing.withLock { $0 = ["d", "e", "f"] }
        let controller = started()
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()
        #expect(controller.list.snapshot.knownCount == 23)
        feed.failing.withLock { $0 = [] }

        controller.refresh()
        executor.runAll()

        #expect(controller.list.snapshot.knownCount == 26)
        #expect(identifiers(controller) == "zyxwvutsrqponmlkjihgfedcba")
    }

    @Test func `Rows that are loaded in view are moved to their sorted position`() {
        feed.failing.withLock { $0 = ["d", "e", "f"] }
        let controller = started()
        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()
        feed.failing.withLock { $0 = [] }

        controller.setViewport(Viewport(visible: 23..<26))
        executor.runAll()
        #expect(identifiers(controller) == "zyxwvutsrqponmlkjihgcbadef")
        clock.advance(by: FeedController<LetterFeed>.evaluationInterval)
        executor.runAll()

        #expect(identifiers(controller) == "zyxwvutsrqponmlkjihgfedcba")
    }

    @Test func `Rows that leave the list before they are indexed do not block others`() {
        let isLeaving = Mutex(false)
        let controller = FeedController(feed: feed, cache: cache, queue: queue, clock: clock) { [cache] update in
            guard update.isListChanged, isLeaving.withLock({ $0 }) else { return }
            isLeaving.withLock { $0 = false }
            cache.store("abclmnopqrstuvwxyz".map { LetterFeed.Letter(id: String($0)) }, fetchEpoch: nil, refreshEpoch: nil)
        }
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()
        // The next update is the result of the query, just before indexing starts.
        isLeaving.withLock { $0 = true }

        controller.setQuery(LetterQuery(isBackwards: true))
        executor.runAll()

        #expect(identifiers(controller) == "zyxwvutsrqponmlcba")
        #expect(Set(feed.log.rows).isDisjoint(with: ["d", "e", "f", "g", "h", "i", "j", "k"]))
    }

    @Test(arguments: [FeedIndexing<Int>.Event.stop, .listRefreshed])
    func `Indexing that was stopped, or whose list was refreshed, restarts with all unknown rows`(event: FeedIndexing<Int>.Event) {
        var indexing = FeedIndexing<Int>()
        var effects: [FeedIndexing<Int>.Effect] = []
        indexing.handle(.begin([1, 2]), effects: &effects)
        indexing.handle(.ended(1), effects: &effects)
        effects = []

        indexing.handle(event, effects: &effects)
        indexing.handle(.begin([1, 2]), effects: &effects)

        #expect(effects == [.cancel(2), .start(1), .start(2)])
    }

    @Test func `Rows whose failure was cleared are loaded again, and no others`() {
        var indexing = FeedIndexing<Int>()
        var effects: [FeedIndexing<Int>.Effect] = []
        indexing.handle(.begin([1, 2, 3]), effects: &effects)
        for id in 1...3 { indexing.handle(.failed(id, LetterFeed.LoadFailure()), effects: &effects) }
        effects = []

        indexing.handle(.clearFailures([1, 3]), effects: &effects)
        indexing.handle(.begin([1, 2, 3]), effects: &effects)

        #expect(effects == [.start(1), .start(3)])
    }

    @Test(arguments: [FeedIndexing<Int>.Event.indexAll, .queryChanged])
    func `Failed rows are loaded again for another query and when all rows are requested`(event: FeedIndexing<Int>.Event) {
        var indexing = FeedIndexing<Int>()
        var effects: [FeedIndexing<Int>.Effect] = []
        indexing.handle(.begin([1, 2, 3]), effects: &effects)
        indexing.handle(.failed(2, LetterFeed.LoadFailure()), effects: &effects)
        for id in [1, 3] { indexing.handle(.ended(id), effects: &effects) }
        #expect(indexing.failed.map(\.id) == [2])
        effects = []

        indexing.handle(event, effects: &effects)
        indexing.handle(.begin([2]), effects: &effects)

        #expect(effects == [.start(2)])
        #expect(indexing.failed.isEmpty)
    }

    @Test func `Indexing has a row limit and a concurrency limit`() {
        var indexing = FeedIndexing<Int>()
        var effects: [FeedIndexing<Int>.Effect] = []
        indexing.handle(.begin(Array(0..<5_000)), effects: &effects)
        #expect(effects == (0..<8).map { .start($0) })

        var started = effects.count
        for id in 0..<5_000 {
            effects = []
            indexing.handle(.ended(id), effects: &effects)
            started += effects.count
        }

        #expect(started == 2_000)
        #expect(indexing.isDone)
    }
}
