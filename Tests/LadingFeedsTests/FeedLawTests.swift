import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// The laws that a feed with one page touches, on random scrolls, sorts, filters, refreshes and failures on several screens.
@Suite struct FeedLawTests {
    @Test(arguments: Seeds.several(10)) func `Whatever happens on several screens, the laws hold`(seed: UInt64) {
        let monkey = FeedMonkey(seed: seed)

        monkey.run(steps: 200)

        #expect(monkey.violations == [], "LADING_SEED=\(seed)")
    }
}

/// Does anything at all on three screens of one feed, by a seed, and notes where a law is broken.
final class FeedMonkey {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed: NumberFeed
    private let memory = FeedMemory<NumberFeed>()
    private var screens: [FeedController<NumberFeed>] = []
    private var random: SeededRandom
    /// The newest edition that was shown of each row.
    private var shown: [Int: Int] = [:]
    private(set) var violations: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        feed = NumberFeed(clock: clock)
        // Wide enough that what begins runs: an edition is read when a flight runs, and flights are told apart by when they began.
        queue = BackendQueue(lanes: LanePlan(network: LaneLimits(width: 500)), executor: executor)
        for _ in 0..<3 {
            screens.append(FeedController(feed: feed, memory: memory, queue: queue, clock: clock))
            screens.last?.start()
        }
    }

    func run(steps: Int) {
        for _ in 0..<steps {
            take(screens[Int(random.next() % 3)])
            if random.next() % 3 == 0 { executor.runAll() }
            check()
        }
        comeToRest()
        for screen in screens { screen.stop() }
        executor.runAll()
        if !queue.isIdle { violations.append("something is left") }
    }

    private func take(_ screen: FeedController<NumberFeed>) {
        switch random.next() % 16 {
        case 0...3:
            let first = Int(random.next() % 110)
            let speeds: [Double] = [0, 0, 5, -5, 400]
            screen.show(Viewport(visible: first..<(first + 8), rowsPerSecond: speeds[Int(random.next() % 5)]))
        case 4: screen.arrange(NumberArrangement(divisor: 1 + Int(random.next() % 3), isBackwards: random.next() % 2 == 0))
        case 5: screen.arrange(nil)
        case 6, 7:
            feed.settings.withLock { $0.edition += 1 }
            screen.refresh()
        case 8: feed.settings.withLock { $0.isListBroken.toggle() }
        case 9: feed.settings.withLock { $0.failingDivisor = 2 + Int(random.next() % 5) }
        case 10: screen.retry(Int(random.next() % 100))
        default: clock.advance(by: .milliseconds(Int(random.next() % 400)))
        }
    }

    /// Nothing that was shown is ever lost or becomes older (laws 5 and 6), and cancellation is never shown as a failure (law 7).
    private func check() {
        for id in 0..<100 {
            let state = screens[id % 3].state(of: id)
            if let row = state.row, row < shown[id, default: 0] { violations.append("\(id) became older") }
            if state.row == nil, shown[id] != nil { violations.append("\(id) was lost") }
            if let row = state.row { shown[id] = row }
            if case .failed(let error) = state, error is CancellationError { violations.append("cancellation is shown as a failure") }
            if case .stale(_, let error) = state, error is CancellationError { violations.append("cancellation is shown as a failure") }
        }
        for screen in screens {
            let references = screen.list.snapshot.references
            if Set(references.map(\.id)).count != references.count { violations.append("an identity appears twice") }
        }
    }

    /// At rest, without failures, everything in view is there, in the newest edition after a refresh.
    private func comeToRest() {
        feed.settings.withLock {
            $0.isListBroken = false
            $0.failingDivisor = 0
        }
        for screen in screens {
            screen.arrange(nil)
            screen.refresh()
        }
        settle()
        for screen in screens { screen.show(Viewport(visible: 10..<20)) }
        settle()
        check()
        let newest = feed.settings.withLock { $0.edition }
        for screen in screens where screen.list.snapshot.references(in: 10..<20).contains(where: { screen.state(of: $0.id).row != newest })
        {
            violations.append("a row in view is missing or old")
        }
    }

    /// Lets everything that is under way come to its end.
    private func settle() {
        for _ in 0..<30 {
            executor.runAll()
            clock.advance(by: .seconds(1))
        }
        executor.runAll()
    }
}

/// A feed of a hundred numbers, whose rows are the edition that they were printed in.
final class NumberFeed: Feed {
    typealias Arrangement = NumberArrangement

    struct Reference: Identifiable, Sendable { let id: Int }
    struct Misprint: Error {}

    struct Settings: Sendable {
        var edition = 1
        var isListBroken = false
        /// Numbers that it divides fail; 0 for none.
        var failingDivisor = 0
    }

    let settings = Mutex(Settings())
    private let clock: ManualClock

    init(clock: ManualClock) {
        self.clock = clock
    }

    func list() -> BackendOperation<[Reference]> {
        BackendOperation("list", key: OperationKey(verb: "list", subject: "numbers"), lane: .network("numbers")) {
            if self.settings.withLock({ $0.isListBroken }) { throw Misprint() }
            return (0..<100).map(Reference.init)
        }
    }

    func load(_ reference: Reference) -> BackendOperation<Int> {
        let id = reference.id
        let download = BackendOperation<Int>(
            "download \(id)", key: OperationKey(verb: "GET", subject: "\(id)"), lane: .network("numbers")
        ) {
            let (edition, isFailing) = self.settings.withLock { settings in
                (settings.edition, settings.failingDivisor > 0 && id % settings.failingDivisor == 0)
            }
            // Some answers take so long that newer ones overtake them.
            try await self.clock.sleep(for: .milliseconds((id * 37 + edition * 401) % 1_300))
            if isFailing { throw Misprint() }
            return edition
        }
        return BackendOperation("parse \(id)", key: OperationKey(verb: "parse", subject: "\(id)"), lane: .cpu, after: download) { $0 }
    }
}

/// Numbers that a divisor divides, up or down by their edition.
struct NumberArrangement: FeedArrangement {
    var divisor = 1
    var isBackwards = false

    static func facts(of row: Int) -> Int { row }

    var isPlain: Bool { divisor == 1 && !isBackwards }
    func admits(_ facts: Int) -> Bool { facts % divisor == 0 }
    func precedes(_ facts: Int, _ others: Int) -> Bool { isBackwards && facts > others }
}
