import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// How much of a long list is read for a search: a step, more while the reader waits at its end, all on request.
@Suite struct FeedReadingTests {
    private static let step = FeedSurvey<Int>.rowLimit

    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed = NumberedFeed(count: 3 * step + 500)
    private let memory = FeedMemory<NumberedFeed>()

    init() {
        queue = BackendQueue(lanes: LanePlan(network: LaneLimits(width: 8, reserved: 2)), executor: executor)
    }

    /// A controller whose search finds the numbers from 0 up to one; the others are read to no avail.
    private func searching(finding found: Int, showing visible: Range<Int>) -> FeedController<NumberedFeed> {
        let controller = FeedController(feed: feed, memory: memory, queue: queue, clock: clock)
        controller.start()
        controller.show(Viewport(visible: visible))
        executor.runAll()
        controller.arrange(NumberedFeed.Below(limit: found))
        settle()
        return controller
    }

    /// Lets everything come to its end, rearrangements at intervals included.
    private func settle() {
        repeat {
            executor.runAll()
            clock.advance(by: FeedController<NumberedFeed>.rearrangeInterval)
            executor.runAll()
        } while !queue.isIdle
    }

    @Test func `While more is found than is in view, one step is read`() {
        let controller = searching(finding: 50, showing: 0..<10)

        #expect(controller.list.snapshot.arrangedCount == 50)
        #expect((Self.step...Self.step + 10).contains(controller.list.snapshot.knownCount))
        #expect(!controller.isLoadingForArrangement)
    }

    @Test func `While the end of what was found is in view, reading goes on to the end of the list`() {
        let controller = searching(finding: 3, showing: 0..<10)

        #expect(controller.list.snapshot.knownCount == feed.count)
        #expect(controller.list.snapshot.count == 3)
    }

    @Test func `Who scrolls to the end of what was found has another step read`() {
        let controller = searching(finding: 50, showing: 0..<10)
        let before = controller.list.snapshot.knownCount

        controller.show(Viewport(visible: 45..<55))
        controller.show(Viewport(visible: 0..<10))
        settle()

        #expect((before + 1...before + Self.step + 10).contains(controller.list.snapshot.knownCount))
    }

    @Test func `All is read on request, and no more when that is stopped`() {
        let controller = searching(finding: 50, showing: 0..<10)

        controller.loadAll()
        #expect(controller.isLoadingAll && controller.isLoadingForArrangement)
        controller.stopLoading()
        settle()
        #expect(controller.list.snapshot.knownCount < 2 * Self.step)
        #expect(!controller.isLoadingAll)

        controller.loadAll()
        settle()
        #expect(controller.list.snapshot.knownCount == feed.count)
    }

    @Test func `A server that cannot be reached is not asked for thousands of rows, and is asked again when it answers`() {
        let controller = searching(finding: 3, showing: 0..<0)
        let before = feed.asked.withLock { $0 }
        feed.isFailing.withLock { $0 = true }
        controller.loadAll()
        settle()
        #expect(feed.asked.withLock { $0 } - before <= FeedSurvey<Int>.failureLimit + FeedSurvey<Int>.width)
        #expect(controller.arrangementFailure?.isStopped == true)

        feed.isFailing.withLock { $0 = false }
        controller.show(Viewport(visible: 3..<10))
        settle()

        #expect(controller.list.snapshot.knownCount == feed.count)
        #expect(controller.arrangementFailure == nil)
    }

    @Test func `A row that failed among thousands is reported, and read again with the next request for all`() throws {
        feed.failing.withLock { $0 = [2_000] }
        let controller = searching(finding: 3, showing: 0..<10)

        let failure = try #require(controller.arrangementFailure)
        #expect(failure.count == 1 && !failure.isStopped)
        #expect(failure.error is NumberedFeed.Unreachable)
        #expect(controller.list.snapshot.knownCount == feed.count - 1)

        feed.failing.withLock { $0 = [] }
        controller.loadAll()
        #expect(controller.isLoadingForArrangement)
        #expect(controller.arrangementFailure == nil)
        settle()
        #expect(controller.list.snapshot.knownCount == feed.count)
        #expect(controller.arrangementFailure == nil)
    }
}

/// A long feed of numbers.
final class NumberedFeed: Feed {
    struct Number: Identifiable, Sendable { let id: Int }
    struct Unreachable: Error {}

    /// Numbers below a limit.
    struct Below: FeedArrangement {
        var limit = Int.max

        static func facts(of row: Int) -> Int { row }

        var isPlain: Bool { limit == .max }
        func admits(_ facts: Int) -> Bool { facts < limit }
        func precedes(_ facts: Int, _ others: Int) -> Bool { false }
    }

    typealias Arrangement = Below

    let count: Int
    let asked = Mutex(0)
    let isFailing = Mutex(false)
    let failing = Mutex<Set<Int>>([])

    init(count: Int) {
        self.count = count
    }

    func list() -> BackendOperation<[Number]> {
        let count = count
        return BackendOperation("list", lane: .network("numbers")) { (0..<count).map(Number.init) }
    }

    func load(_ number: Number) -> BackendOperation<Int> {
        BackendOperation("\(number.id)", lane: .network("numbers")) {
            self.asked.withLock { $0 += 1 }
            if self.isFailing.withLock({ $0 }) || self.failing.withLock({ $0.contains(number.id) }) { throw Unreachable() }
            return number.id
        }
    }
}
