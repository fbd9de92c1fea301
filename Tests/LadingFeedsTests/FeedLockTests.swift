import Dispatch
import Foundation
import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of the work under the locks for which the cells of a screen wait, which does not grow with the list.
@Suite struct FeedLockTests {
    /// A call of a screen that continues indexing.
    enum Request: CaseIterable {
        case allRows, retry, endOfMatches
    }

    private static let rowCount = 200
    /// More lookups than a few rows need, and fewer than one for each row.
    private static let lookupLimit = 100

    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let probe = LockProbe()
    private let feed: ProbedFeed
    private let cache = FeedCache<ProbedFeed>()

    init() {
        queue = BackendQueue(executor: executor)
        feed = ProbedFeed(count: Self.rowCount, probe: probe)
    }

    /// Returns a sorted screen on which all rows are known except for one that fails, which is the last.
    private func makeSortedScreen() -> FeedController<ProbedFeed> {
        let controller = FeedController(feed: feed, cache: cache, queue: queue, clock: clock)
        controller.start()
        controller.setViewport(Viewport(visible: 0..<3))
        executor.runAll()
        controller.setQuery(ProbedFeed.Backwards())
        repeat {
            executor.runAll()
            clock.advance(by: FeedController<ProbedFeed>.evaluationInterval)
            executor.runAll()
        } while !queue.isIdle
        return controller
    }

    /// Counts the lookups of rows during some work, by whether the lock of a screen is held.
    private func lookups(on controller: FeedController<ProbedFeed>, during work: () -> Void) -> LockProbe.Lookups {
        probe.lookups(isFree: { controller.state.withLockIfAvailable { _ in true } ?? false }, during: work)
    }

    @Test func `A list whose order is unchanged is compared and searched without the lock of the screen`() {
        let controller = makeSortedScreen()
        let before = controller.list
        #expect(before.snapshot.knownCount == Self.rowCount - 1)
        cache.store(7, for: feed.id(7))

        let lookups = lookups(on: controller) {
            controller.change { $0.handleEvaluation(.schedule(after: .zero)) }
            executor.runAll()
        }

        #expect(controller.list.snapshot !== before.snapshot && controller.list.revision == before.revision)
        #expect(lookups.locked < Self.lookupLimit)
        #expect(lookups.free >= Self.rowCount)
    }

    @Test(arguments: Request.allCases) func `Requests that continue indexing look up unknown rows, not all`(request: Request) {
        let controller = makeSortedScreen()
        let loads = feed.failedLoads.withLock { $0 }

        let lookups = lookups(on: controller) {
            switch request {
            case .allRows: controller.indexAll()
            case .retry: controller.retryFailures { $0 is ProbedFeed.LoadFailure }
            case .endOfMatches: controller.setViewport(Viewport(visible: Self.rowCount - 3..<Self.rowCount))
            }
        }

        executor.runAll()
        #expect(feed.failedLoads.withLock { $0 } == loads + 1)
        #expect(lookups.locked < Self.lookupLimit)
    }

    @Test func `A list is replaced without a search for departed rows under the lock of the cache`() {
        let ids = (0..<Self.rowCount).map(feed.id)
        cache.store(ids.map(ProbedFeed.Reference.init), fetchEpoch: nil, refreshEpoch: nil)
        for id in ids { cache.store(id.number, for: id) }

        let lookups = probe.lookups(isFree: { [cache] in cache.state.withLockIfAvailable { _ in true } ?? false }) {
            cache.store(ids.dropLast().map(ProbedFeed.Reference.init), fetchEpoch: nil, refreshEpoch: nil)
        }

        #expect(cache.state.withLock { $0.fields.count } == Self.rowCount - 1)
        #expect(lookups.locked < Self.lookupLimit)
        #expect(lookups.free >= Self.rowCount)
    }
}

/// A counter of the comparisons and hashes of identities.
private final class LockProbe: Sendable {
    struct Lookups {
        /// The number while a lock was held.
        var locked = 0
        var free = 0
    }

    private struct State {
        /// Returns whether the lock is free; nil while nothing is counted.
        var isFree: (@Sendable () -> Bool)?
        var lookups = Lookups()
    }

    private let state = Mutex(State())

    /// Counts the lookups during some work.
    func lookups(isFree: @escaping @Sendable () -> Bool, during work: () -> Void) -> Lookups {
        state.withLock { $0 = State(isFree: isFree) }
        work()
        return state.withLock { state in
            state.isFree = nil
            return state.lookups
        }
    }

    func recordLookup() {
        guard let isFree = state.withLock({ $0.isFree }) else { return }
        let wasFree = Self.resultOnOtherThread(of: isFree)
        state.withLock { state in
            if wasFree { state.lookups.free += 1 } else { state.lookups.locked += 1 }
        }
    }

    /// Returns the result on another thread, because a thread that tries to take its own lock ends the process.
    private static func resultOnOtherThread(of body: @escaping @Sendable () -> Bool) -> Bool {
        let result = Mutex(false)
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let value = body()
            result.withLock { $0 = value }
            end.signal()
        }
        end.wait()
        return result.withLock { $0 }
    }
}

/// The identity of a number, whose lookups are counted.
private struct ProbedID: Hashable, Sendable {
    let number: Int
    let probe: LockProbe

    static func == (one: ProbedID, other: ProbedID) -> Bool {
        one.probe.recordLookup()
        return one.number == other.number
    }

    func hash(into hasher: inout Hasher) {
        probe.recordLookup()
        hasher.combine(number)
    }
}

/// A feed of numbers with counted lookups, of which one cannot be loaded.
private final class ProbedFeed: Feed {
    struct Reference: Identifiable, Sendable { let id: ProbedID }
    struct LoadFailure: Error {}

    /// A query for all numbers in descending order.
    struct Backwards: FeedQuery {
        static func indexedFields(of row: Int) -> Int { row }

        var isDefault: Bool { false }
        func matches(_ fields: Int) -> Bool { true }
        func isOrderedBefore(_ fields: Int, _ others: Int) -> Bool { fields > others }
    }

    typealias Query = Backwards

    private static let failingNumber = 150

    /// The number of failed loads.
    let failedLoads = Mutex(0)
    private let count: Int
    private let probe: LockProbe

    init(count: Int, probe: LockProbe) {
        (self.count, self.probe) = (count, probe)
    }

    func id(_ number: Int) -> ProbedID { ProbedID(number: number, probe: probe) }

    func list() -> BackendOperation<[Reference]> {
        BackendOperation("list", result: .success((0..<count).map { Reference(id: id($0)) }))
    }

    func load(_ reference: Reference) -> BackendOperation<Int> {
        let number = reference.id.number
        return BackendOperation("\(number)", lane: .network("numbers")) {
            guard number != Self.failingNumber else {
                self.failedLoads.withLock { $0 += 1 }
                throw LoadFailure()
            }
            return number
        }
    }
}
