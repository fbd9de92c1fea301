import LadingFeeds
import LadingTesting
import Testing

@testable import LadingFeeds

/// Tests of the rows that are requested during a fling on a grid.
@Suite struct FlingPlanningTests {
    private static let grid = SimulatedGrid(columns: 3, height: 4.5, count: 3_000)
    private var harness = PlannerHarness(count: Self.grid.count)

    private mutating func report(_ fling: SimulatedFling, at time: Duration) -> [String] {
        let viewport = Self.grid.viewport(of: fling, at: time)
        return harness.setViewport(viewport.visible, velocity: viewport.rowsPerSecond, columns: 3, at: time)
    }

    @Test(arguments: SimulatedFling.Curve.allCases)
    mutating func `Before a fling comes to rest the rows at its end and few others have been started`(curve: SimulatedFling.Curve) {
        let fling = SimulatedFling(from: 0, to: 80.4, lasting: .seconds(2), curve: curve)
        let seen = Self.grid.visibleRange(from: fling.end)
        harness.known = Set(0..<30)
        var started: Set<Int> = []
        var cancelled: Set<Int> = []

        for time in fling.reportTimes {
            let effects = report(fling, at: time)
            started.formUnion(effects.starts)
            cancelled.formUnion(effects.cancels)
        }

        #expect(started.isSuperset(of: seen))
        #expect(report(fling, at: fling.duration + .milliseconds(100)).starts == [])
        #expect(cancelled.isDisjoint(with: seen))
    }

    @Test mutating func `Half a second into a fling the middle of its landing is started first, as visible`() throws {
        let fling = SimulatedFling(from: 0, to: 40.4, lasting: .seconds(2), curve: .exponential)
        harness.known = Set(0..<30)

        var first: String?
        for time in fling.reportTimes.prefix(8) where first == nil { first = report(fling, at: time).first { $0.contains("visible") } }

        let words = try #require(first).split(separator: " ")
        let row = try #require(Int(words[1]))
        #expect((40 * 3..<45 * 3).contains(row))
    }

    @Test(arguments: [3, nil])
    mutating func `With a slow or unknown latency no row is started that will have left the view before it loads`(latency: Int?) {
        if let latency { harness.handle(.loaded(0, after: .seconds(latency))) }
        let fling = SimulatedFling(from: 10, to: 26.5, lasting: .seconds(2), curve: .exponential)
        let mayBeSeen = Self.grid.visibleRange(from: fling.end - 4).lowerBound..<Self.grid.visibleRange(from: fling.end + 4).upperBound

        for (number, time) in fling.reportTimes.enumerated() {
            let starts = report(fling, at: time).starts
            if number >= 2 { #expect(starts.allSatisfy(mayBeSeen.contains), "\(time)") }
        }
    }

    @Test mutating func `Rows that only pass are deprioritized for the landing and cancelled out of view`() {
        let reports: [(line: Int, speed: Double)] = [(0, 12), (1, 10), (2, 8), (3, 6)]
        harness.handle(.loaded(0, after: .seconds(3)))
        var effects: [[String]] = []
        for (step, report) in reports.enumerated() {
            effects.append(
                harness.setViewport(
                    (report.line * 3)..<(report.line * 3 + 12), velocity: report.speed, columns: 3, at: .milliseconds(step * 100)))
        }

        #expect(effects[0].contains("start 6 visible 0"))
        #expect(effects[2].contains { $0.hasPrefix("prioritize 6 prefetch") })
        #expect(effects[3].contains("cancel 6"))
    }

    /// Reports three viewports of four grid rows that slow down to 8 grid rows per second; returns the effects of the last one.
    private mutating func slowDown(columns: Int) -> [String] {
        var effects: [String] = []
        for (line, speed) in [12.0, 10, 8].enumerated() {
            effects = harness.setViewport(
                (line * columns)..<((line + 4) * columns), velocity: speed, columns: columns, at: .milliseconds(line * 100))
        }
        return effects
    }

    @Test mutating func `Rows that may be seen at rest are prefetched after those that will be`() {
        harness.known = Set(0..<18)

        // The rest position is grid row 3.7 ± 0.5: grid rows 5 and 6 will be in view, and 3 to 8 may be.
        #expect(
            slowDown(columns: 3) == [
                "start 18 visible 1", "start 19 visible 1", "start 20 visible 1", "start 21 prefetch 2", "start 22 prefetch 2",
                "start 23 prefetch 2", "start 24 prefetch 3", "start 25 prefetch 3", "start 26 prefetch 3", "expect rest",
            ])
    }

    @Test(arguments: [(1, false), (2, true), (3, true)])
    mutating func `A landing is predicted in grids only`(columns: Int, isPredicted: Bool) {
        _ = slowDown(columns: columns)
        let viewport = Viewport(visible: (2 * columns)..<(6 * columns), rowsPerSecond: 8, columns: columns)

        #expect((harness.planner.landing(of: viewport, at: .milliseconds(200)) != nil) == isPredicted)
    }

    @Test mutating func `A changing prediction cancels only rows that can no longer come into view`() {
        let fling = SimulatedFling(from: 0, to: 60.5, lasting: .seconds(2), curve: .power)
        var loading: Set<Int> = []

        for time in fling.reportTimes {
            let effects = report(fling, at: time)
            loading.formUnion(effects.starts)
            loading.subtract(effects.cancels)
            let landing = harness.planner.landing(of: Self.grid.viewport(of: fling, at: time), at: time)
            guard let landing else { continue }
            let visible = Self.grid.viewport(of: fling, at: time).visible
            #expect(loading.allSatisfy { landing.possible.contains($0) || visible.contains($0) })
        }
    }

    @Test mutating func `At rest nothing more is started, and running rows are ordered by the visible range`() {
        let fling = SimulatedFling(from: 0, to: 60.5, lasting: .seconds(2), curve: .exponential)
        for time in fling.reportTimes { _ = report(fling, at: time) }

        let effects = report(fling, at: fling.duration + .milliseconds(100))

        #expect(effects.starts == [] && effects.cancels == [])
        #expect(!effects.contains { $0.contains("background") })
    }
}
