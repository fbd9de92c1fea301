import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Tests of the invariants of a feed on several screens, with random scrolls, queries, refreshes and failures.
@Suite struct FeedInvariantTests {
    @Test(arguments: TestSeeds.seeds(count: 10)) func `Random events on several screens violate no invariant`(seed: UInt64) {
        let fuzzer = FeedFuzzer(seed: seed)

        fuzzer.run(steps: 200)

        #expect(fuzzer.violations == [], "LADING_SEED=\(seed)")
    }
}

/// A series of random events on three screens of one feed, by a seed, with a record of violated invariants.
final class FeedFuzzer {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed: NumberFeed
    private let cache = FeedCache<NumberFeed>()
    private var screens: [FeedController<NumberFeed>] = []
    private var random: SeededRandom
    /// The newest edition of each row that was shown.
    private var newestShown: [Int: Int] = [:]
    private(set) var violations: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        feed = NumberFeed(clock: clock)
        // Wide enough to start every operation at once: an edition is read at the start, and epochs distinguish executions by their start.
        queue = BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: 500)), executor: executor)
        for _ in 0..<3 {
            screens.append(FeedController(feed: feed, cache: cache, queue: queue, clock: clock))
            screens.last?.start()
        }
    }

    func run(steps: Int) {
        for _ in 0..<steps {
            performRandomStep(on: screens[Int(random.next() % 3)])
            if random.next() % 3 == 0 { executor.runAll() }
            check()
        }
        checkFinalState()
        for screen in screens { screen.stop() }
        executor.runAll()
        if !queue.isIdle { violations.append("something is left") }
    }

    private func performRandomStep(on screen: FeedController<NumberFeed>) {
        switch random.next() % 16 {
        case 0...3:
            let first = Int(random.next() % 110)
            let speeds: [Double] = [0, 0, 5, -5, 400]
            screen.setViewport(Viewport(visible: first..<(first + 8), rowsPerSecond: speeds[Int(random.next() % 5)]))
        case 4: screen.setQuery(NumberQuery(divisor: 1 + Int(random.next() % 3), isBackwards: random.next() % 2 == 0))
        case 5: screen.setQuery(nil)
        case 6, 7:
            feed.settings.withLock { $0.version += 1 }
            screen.refresh()
        case 8: feed.settings.withLock { $0.isListBroken.toggle() }
        case 9: feed.settings.withLock { $0.failingDivisor = 2 + Int(random.next() % 5) }
        case 10: screen.retry(Int(random.next() % 100))
        default: clock.advance(by: .milliseconds(Int(random.next() % 400)))
        }
    }

    /// Checks that no shown row is lost or becomes older (rules 5 and 6) and that cancellation is not shown as a failure (rule 7).
    private func check() {
        for id in 0..<100 {
            let state = screens[id % 3].state(of: id)
            if let row = state.row, row < newestShown[id, default: 0] { violations.append("\(id) became older") }
            if state.row == nil, newestShown[id] != nil { violations.append("\(id) was lost") }
            if let row = state.row { newestShown[id] = row }
            if case .failed(let error) = state, error is CancellationError { violations.append("cancellation is shown as a failure") }
            if case .stale(_, let error) = state, error is CancellationError { violations.append("cancellation is shown as a failure") }
        }
        for screen in screens {
            let references = screen.list.snapshot.references
            if Set(references.map(\.id)).count != references.count { violations.append("an identity appears twice") }
        }
    }

    /// Checks that all visible rows are loaded at rest without failures, in the newest edition after a refresh.
    private func checkFinalState() {
        feed.settings.withLock {
            $0.isListBroken = false
            $0.failingDivisor = 0
        }
        for screen in screens {
            screen.setQuery(nil)
            screen.refresh()
        }
        runUntilIdle()
        for screen in screens { screen.setViewport(Viewport(visible: 10..<20)) }
        runUntilIdle()
        check()
        let newest = feed.settings.withLock { $0.version }
        for screen in screens where screen.list.snapshot.references(in: 10..<20).contains(where: { screen.state(of: $0.id).row != newest })
        {
            violations.append("a row in view is missing or old")
        }
    }

    /// Runs until no operation is left.
    private func runUntilIdle() {
        for _ in 0..<30 {
            executor.runAll()
            clock.advance(by: .seconds(1))
        }
        executor.runAll()
    }
}

/// A feed of a hundred numbers, whose rows are editions.
final class NumberFeed: Feed {
    typealias Query = NumberQuery

    struct Reference: Identifiable, Sendable { let id: Int }
    struct LoadFailure: Error {}

    struct Settings: Sendable {
        var version = 1
        var isListBroken = false
        /// A divisor of the numbers that fail; 0 for none.
        var failingDivisor = 0
    }

    let settings = Mutex(Settings())
    private let clock: ManualClock

    init(clock: ManualClock) {
        self.clock = clock
    }

    func list() -> BackendOperation<[Reference]> {
        BackendOperation("list", key: OperationKey(verb: "list", subject: "numbers"), lane: .network("numbers")) {
            if self.settings.withLock({ $0.isListBroken }) { throw LoadFailure() }
            return (0..<100).map(Reference.init)
        }
    }

    func load(_ reference: Reference) -> BackendOperation<Int> {
        let id = reference.id
        let download = BackendOperation<Int>(
            "download \(id)", key: OperationKey(verb: "GET", subject: "\(id)"), lane: .network("numbers")
        ) {
            let (edition, isFailing) = self.settings.withLock { settings in
                (settings.version, settings.failingDivisor > 0 && id % settings.failingDivisor == 0)
            }
            // Some responses are so slow that newer ones overtake them.
            try await self.clock.sleep(for: .milliseconds((id * 37 + edition * 401) % 1_300))
            if isFailing { throw LoadFailure() }
            return edition
        }
        return BackendOperation("parse \(id)", key: OperationKey(verb: "parse", subject: "\(id)"), lane: .cpu, after: download) { $0 }
    }
}

/// A query for the multiples of a divisor, sorted by edition.
struct NumberQuery: FeedQuery {
    var divisor = 1
    var isBackwards = false

    static func indexedFields(of row: Int) -> Int { row }

    var isDefault: Bool { divisor == 1 && !isBackwards }
    func matches(_ fields: Int) -> Bool { fields % divisor == 0 }
    func isOrderedBefore(_ fields: Int, _ others: Int) -> Bool { isBackwards && fields > others }
}
