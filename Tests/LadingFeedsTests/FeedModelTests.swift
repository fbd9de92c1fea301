import LadingOperations
import LadingTesting
import Observation
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of the SwiftUI model that need no SwiftUI.
@MainActor @Suite(.timeLimit(.minutes(10))) struct FeedModelTests {
    private let feed = LetterFeed()
    private let queue = BackendQueue()
    private let cache = FeedCache<LetterFeed>()
    private let model: FeedModel<LetterFeed>

    init() {
        model = FeedModel(controller: FeedController(feed: feed, cache: cache, queue: queue))
    }

    /// Runs the model until a condition on observed values is met.
    private func run(until isReached: @escaping @MainActor () -> Bool) async {
        let running = Task { await model.run() }
        await wait(until: isReached)
        running.cancel()
        await running.value
    }

    /// Waits until a condition on observed values is met.
    private func wait(until isReached: @escaping @MainActor () -> Bool) async {
        while !isReached() {
            await withCheckedContinuation { changed in
                withObservationTracking {
                    _ = isReached()
                } onChange: {
                    changed.resume()
                }
            }
            await Task { @MainActor in }.value
        }
    }

    @Test func `A view that reads the list is updated when the list is loaded`() async {
        #expect(model.isLoading)

        await run { model.references.count == 26 }

        #expect(!model.isLoading)
    }

    @Test func `Rows that appear are loaded, and their views are updated`() async {
        await run { model.references.count == 26 }

        model.rowAppeared("c")
        model.rowAppeared("e")
        await run { ["c", "d", "e"].allSatisfy { model.state(of: $0).isLoaded } }

        #expect(Set(feed.log.rows) == ["c", "d", "e"])
    }

    @Test func `A further task that runs the model waits, and updates it after the end of the first`() async {
        let tasks = (0..<2).map { _ in Task { await model.run() } }
        await wait { model.references.count == 26 }

        tasks[0].cancel()
        await tasks[0].value
        model.rowAppeared("c")
        await wait { model.state(of: "c").isLoaded }

        tasks[1].cancel()
        await tasks[1].value
    }

    @Test func `A refresh continues when one of two tasks that run the model is cancelled`() async {
        let tasks = (0..<2).map { _ in Task { await model.run() } }
        await wait { model.references.count == 26 }
        feed.hidden.withLock { $0 = ["a"] }
        queue.pause()
        let refreshing = Task { await model.refresh() }
        await wait { model.isLoading }

        tasks[0].cancel()
        await tasks[0].value
        queue.resume()
        await refreshing.value

        #expect(!model.isLoading)
        #expect(model.references.count == 25)
        tasks[1].cancel()
    }

    @Test func `The load of the last row that disappears is cancelled`() async {
        await run { model.references.count == 26 }
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        model.rowAppeared("c")
        await gate.waitForWaiters(count: 1)

        #expect(!model.state(of: "c").isIdle)
        model.rowDisappeared("c")

        #expect(model.state(of: "c").isIdle)
        gate.open()
    }

    @Test func `The rows of a list that was replaced disappear without an effect on the loads of the new ones`() async {
        await run { model.references.count == 26 }
        model.rowAppeared("a")
        model.rowAppeared("b")
        await run { ["a", "b"].allSatisfy { model.state(of: $0).isLoaded } }
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        feed.hidden.withLock { $0 = ["a", "b"] }
        let running = Task { await model.run() }
        await model.refresh()
        await gate.waitForWaiters(count: 2)

        model.rowDisappeared("a")

        #expect(!model.state(of: "c").isIdle && !model.state(of: "d").isIdle)
        gate.open()
        running.cancel()
        await running.value
        #expect(feed.log.cancelled == [])
    }

    @Test func `A row that appears before the model shows a new list is loaded, and no row at its former place`() async {
        await run { model.references.count == 26 }
        model.rowAppeared("k")
        cache.store("fghijklmnopqrstuvwxyz".map { LetterFeed.Letter(id: String($0)) }, fetchEpoch: nil, refreshEpoch: nil)
        #expect(model.references.count == 26)

        model.rowAppeared("l")

        #expect(["k", "l"].allSatisfy { !model.state(of: $0).isIdle })
        #expect(["p", "q"].allSatisfy { model.state(of: $0).isIdle })
    }

    @Test func `A row of a reported viewport stays in view when its view ends the observation`() async {
        await run { model.references.count == 26 }
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        model.setViewport(Viewport(visible: 2..<3))
        await gate.waitForWaiters(count: 1)

        model.rowDisappeared("c")
        gate.open()
        await run { model.state(of: "c").isLoaded }

        #expect(feed.log.rows == ["c"])
    }

    @Test func `A view whose row disappears is updated and observes the row again`() async {
        let redrawn = Mutex(false)
        withObservationTracking {
            _ = model.state(of: "c")
        } onChange: {
            redrawn.withLock { $0 = true }
        }

        model.rowDisappeared("c")

        #expect(redrawn.withLock { $0 })
    }

    @Test func `A refresh returns when it has succeeded or failed`() async {
        await run { model.references.count == 26 }
        let running = Task { await model.run() }
        feed.isListBroken.withLock { $0 = true }

        await model.refresh()

        #expect(model.list.state == .failed)
        #expect(model.list.failure is LetterFeed.LoadFailure)
        #expect(model.references.count == 26)
        running.cancel()
    }

    @Test func `A refresh that ends before its task is suspended returns`() async {
        await run { model.references.count == 26 }
        let executor = ManualTaskExecutor()
        queue.pause()
        let running = Task { await model.run() }
        let refreshing = Task(executorPreference: executor) { @Sendable [model] in await model.refresh() }
        executor.runAll()
        await wait { model.isLoading }

        queue.resume()
        await wait { !model.isLoading }
        executor.runAll()

        await refreshing.value
        running.cancel()
    }

    @Test func `A refresh returns when the model stops running`() async {
        await run { !model.isLoading }
        queue.pause()
        let running = Task { await model.run() }
        let refreshing = Task { await model.refresh() }
        await wait { model.isLoading }

        running.cancel()
        await running.value
        await refreshing.value

        #expect(model.isLoading)
    }

    @Test func `A cancelled refresh returns even if the model is not running`() async {
        await run { !model.isLoading }
        queue.pause()
        let refreshing = Task { await model.refresh() }
        await wait { model.isLoading }

        refreshing.cancel()
        await refreshing.value

        #expect(model.isLoading)
    }

    @Test func `A refresh returns even if the model is not running`() async {
        await run { !model.isLoading }
        feed.hidden.withLock { $0 = ["a"] }

        await model.refresh()

        #expect(!model.isLoading)
        #expect(model.references.count == 25)
    }
}

extension FeedRowState<String> {
    fileprivate var isIdle: Bool {
        if case .idle = self { true } else { false }
    }
}
