import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of rows and lists whose operations others cancel, and of screens that start or stop meanwhile.
@Suite struct FeedCancellationTests {
    /// A feed whose rows are cancelled before they are submitted.
    private final class CancelledRows: Feed {
        struct Reference: Identifiable, Sendable { let id: Int }

        let loads = Mutex<[Int]>([])

        func list() -> BackendOperation<[Reference]> { BackendOperation("list", result: .success((0..<9).map(Reference.init))) }

        func load(_ reference: Reference) -> BackendOperation<String> {
            loads.withLock { $0.append(reference.id) }
            return BackendOperation("row", result: .failure(CancellationError()))
        }
    }

    private let executor = ManualTaskExecutor()
    private let queue: BackendQueue
    private let feed = LetterFeed()
    private let cache = FeedCache<LetterFeed>()

    init() {
        queue = BackendQueue(executor: executor)
    }

    private func controller() -> FeedController<LetterFeed> { FeedController(feed: feed, cache: cache, queue: queue) }

    // MARK: Rows

    @Test func `A row that is cancelled at once is requested again once for each viewport`() {
        let feed = CancelledRows()
        let controller = FeedController(feed: feed, cache: FeedCache(), queue: queue)
        controller.start()

        controller.setViewport(Viewport(visible: 0..<2))
        #expect(feed.loads.withLock { $0.sorted() } == [0, 0, 1, 1])
        controller.setViewport(Viewport(visible: 0..<2))

        #expect(feed.loads.withLock { $0.sorted() } == [0, 0, 0, 0, 1, 1, 1, 1])
    }

    @Test func `A row that others cancel is requested again`() {
        let controller = controller()
        controller.start()
        executor.runAll()
        queue.pause()
        controller.setViewport(Viewport(visible: 0..<1))

        queue.cancelAll()
        queue.resume()
        executor.runAll()

        #expect(controller.state(of: "a").isLoaded)
    }

    // MARK: Lists

    @Test func `A first list that others cancel is fetched again`() {
        let controller = controller()
        queue.pause()
        controller.start()

        queue.cancelAll()

        #expect(controller.list.state == .loading && controller.list.failure == nil)
        queue.resume()
        executor.runAll()
        #expect(controller.list.state == .loaded && controller.list.snapshot.count == 26)
        #expect(feed.log.lists == 2)
    }

    @Test(arguments: [false, true])
    func `A first list that others cancel twice fails, and is fetched again by a start or a retry`(isRetried: Bool) {
        let errors = Mutex<[any Error]>([])
        let controller = FeedController(
            feed: feed, cache: cache, queue: queue, onFailure: { error in errors.withLock { $0.append(error) } })
        queue.pause()
        controller.start()

        queue.cancelAll()
        queue.cancelAll()
        queue.resume()
        executor.runAll()

        #expect(controller.list.state == .failed && controller.list.failure is CancellationError)
        #expect(errors.withLock { $0.map { $0 is CancellationError } } == [true])
        #expect(feed.log.lists == 2)
        if isRetried { controller.retryFailures { $0 is CancellationError } } else { controller.start() }
        executor.runAll()
        #expect(controller.list.state == .loaded && controller.list.failure == nil && controller.list.snapshot.count == 26)
    }

    @Test func `A refresh that others cancel preserves the list`() {
        let controller = controller()
        controller.start()
        executor.runAll()
        queue.pause()
        controller.refresh()

        queue.cancelAll()

        #expect(controller.list.state == .loaded && controller.list.snapshot.count == 26)
        #expect(feed.log.lists == 2)
    }

    // MARK: Starting and stopping

    @Test func `A screen that starts again while the list is fetched does not fetch it again`() {
        let controller = controller()
        queue.pause()
        controller.start()

        controller.start()
        queue.resume()
        executor.runAll()

        #expect(feed.log.lists == 1)
        #expect(controller.list.state == .loaded)
    }

    @Test func `A viewport that is set while the screen stops leaves no observer behind`() async {
        for _ in 0..<300 {
            let controller = controller()
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { controller.setViewport(Viewport(visible: 0..<3)) }
                tasks.addTask { controller.stop() }
            }
            withExtendedLifetime(controller) { #expect(cache.state.withLock { $0.observations.all.isEmpty }) }
        }
    }
}
