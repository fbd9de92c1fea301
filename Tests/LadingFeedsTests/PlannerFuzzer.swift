import LadingOperations
import LadingTesting

@testable import LadingFeeds

/// A series of random scrolls, flings, queries, refreshes and failures of a planner, by a seed, with a record of violated invariants.
struct PlannerFuzzer {
    private var harness = PlannerHarness(count: 300)
    private var random: SeededRandom
    private var time = Duration.zero
    private var viewport = Viewport(visible: 0..<10)
    /// The rows that are being loaded.
    private var loading: [Int: OperationPriority.Urgency] = [:]
    private(set) var violations: [String] = []

    var record: DecisionRecord<PlannerHarness.Planner> { harness.record }

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps { performRandomStep() }
        rest()
        checkRest()
    }

    private mutating func performRandomStep() {
        time += .milliseconds(Int(random.next() % 300))
        switch random.next() % 13 {
        case 0...4: scroll()
        case 5: randomLoadingRow().map { end($0, .loaded($0, after: .milliseconds(Int(random.next() % 2_000)))) }
        case 6: randomLoadingRow().map { end($0, .failed($0, PlannerHarness.LoadFailure())) }
        case 7: randomLoadingRow().map { end($0, .cancelled($0)) }
        case 8: reorder()
        case 9: refresh()
        case 10: check(harness.handle(.retry(Int(random.next() % 300))))
        case 11 where random.next() % 3 == 0: fling()
        default: harness.known = harness.known.filter { _ in random.next() % 4 != 0 }
        }
    }

    private mutating func scroll() {
        let first = Int(random.next() % 320)
        let speeds: [Double] = [0, 0, 3, -3, 30, -30, 300, -300]
        let landing = random.next() % 5 == 0 ? Int(random.next() % 300) : nil
        viewport = Viewport(
            visible: first..<(first + 1 + Int(random.next() % 20)), rowsPerSecond: speeds[Int(random.next() % 8)], landing: landing,
            columns: random.next() % 3 == 0 ? 3 : 1)
        updateViewport()
    }

    /// Simulates a fling with the reports of a view; it may reach the end of the list.
    private mutating func fling() {
        let grid = SimulatedGrid(columns: random.next() % 3 == 0 ? 3 : 1, height: 6.5, count: 300)
        let curve = SimulatedFling.Curve.allCases[Int(random.next() % 3)]
        let lines = (0..<2).map { _ in Double(random.next() % 1_000) / 1_000 * grid.lastGridRow }
        let fling = SimulatedFling(from: lines[0], to: lines[1], lasting: .seconds(2), curve: curve)
        let start = time
        for moment in fling.reportTimes {
            time = start + moment
            viewport = grid.viewport(of: fling, at: moment)
            updateViewport()
        }
    }

    private mutating func updateViewport() {
        check(
            harness.setViewport(
                viewport.visible, velocity: viewport.rowsPerSecond, landing: viewport.landing, columns: viewport.columns, at: time))
        checkScope()
    }

    private mutating func rest() {
        viewport = viewport.atRest
        updateViewport()
    }

    private mutating func end(_ row: Int, _ event: PlannerHarness.Planner.Event) {
        loading[row] = nil
        if case .loaded = event { harness.known.insert(row) }
        check(harness.handle(event))
    }

    /// Applies a random query or list change.
    private mutating func reorder() {
        let rows = (0..<300).filter { _ in random.next() % 8 != 0 }.shuffled(using: &random)
        check(harness.handle(.list(FeedSnapshot(rows.map(PlannerHarness.Row.init)))))
        updateViewport()
    }

    private mutating func refresh() {
        check(harness.handle(.invalidateAll))
        if !loading.isEmpty { violations.append("a refresh keeps what is older") }
        harness.known = []
        updateViewport()
    }

    private mutating func randomLoadingRow() -> Int? {
        loading.keys.sorted().randomElement(using: &random)
    }

    private mutating func check(_ effects: [String]) {
        var rank = Int.max
        for effect in effects {
            let words = effect.split(separator: " ").map(String.init)
            guard words.count > 1, let row = Int(words[1]) else { continue }
            switch words[0] {
            case "start":
                if loading[row] != nil { violations.append("\(row) is started twice") }
                if harness.known.contains(row) { violations.append("\(row) is known and started") }
                let urgency: OperationPriority.Urgency = words[2] == "visible" ? .visible : .prefetch
                if Int(urgency.rawValue) > rank { violations.append("what is seen comes first, but \(row) starts late") }
                rank = Int(urgency.rawValue)
                loading[row] = urgency
                checkTimeInView(row, urgency)
            case "prioritize": if loading[row] == nil { violations.append("\(row) is not under way") }
            case "cancel": if loading.removeValue(forKey: row) == nil { violations.append("\(row) is cancelled twice") }
            default: break
            }
        }
    }

    /// Checks rule 3: a started row stays in view long enough, is part of the landing, or is the admitted one.
    private mutating func checkTimeInView(_ row: Int, _ urgency: OperationPriority.Urgency) {
        let landing = harness.planner.landing(of: viewport, at: time)
        guard let index = harness.snapshot.index(of: row), landing?.possible.contains(index) != true else { return }
        if urgency == .prefetch, viewport.timeInViewOfNewRows < ScrollLoadPolicy.minimumVisibleTime {
            violations.append("\(row) is prefetched in passing")
        }
        let passing = loading.keys.filter { key in
            guard let index = harness.snapshot.index(of: key), viewport.visible.contains(index) else { return false }
            return key == row && viewport.timeInView(of: index) < ScrollLoadPolicy.minimumVisibleTime
        }
        if passing.count > 1 { violations.append("more than one row is admitted in passing") }
    }

    /// Checks that every row being loaded is visible, part of the landing, or ahead.
    private mutating func checkScope() {
        let scope = harness.planner.scope(of: viewport, at: time)
        for row in loading.keys {
            let index = harness.snapshot.index(of: row)
            if index.map({ index in scope.contains { $0.contains(index) } }) != true { violations.append("\(row) is out of scope") }
        }
        if loading.count > 2 * Viewport.rowLimit + 3 * ScrollLoadPolicy.gridRowLimit { violations.append("too much is under way") }
    }

    /// Checks that at rest every visible row is known, being loaded, or failed.
    private mutating func checkRest() {
        for reference in harness.snapshot.references(in: viewport.visible) {
            let id = reference.id
            let isHandled = harness.known.contains(id) || loading[id] != nil || harness.planner.failure(of: id) != nil
            if !isHandled { violations.append("\(id) is in view and neither known, loading nor failed") }
        }
    }
}
