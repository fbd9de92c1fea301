import LadingOperations
import LadingTesting
import Testing

@testable import LadingFeeds

/// Tests of requested rows as tables of viewports and effects.
@Suite struct FeedPlannerTests {
    private var harness = PlannerHarness(count: 1_000)

    // MARK: Visible rows

    @Test mutating func `Rows in view are started, nearest to the middle first`() {
        #expect(harness.setViewport(10..<13) == ["start 11 visible 0", "start 10 visible 1", "start 12 visible 1"])
    }

    @Test mutating func `All rows of a large grid in view are started`() {
        #expect(harness.setViewport(0..<300, columns: 25).starts == Array(0..<300))
    }

    @Test mutating func `Rows that leave the view are deprioritized before others start and cancelled afterwards`() {
        harness.setViewport(0..<2)

        #expect(
            harness.setViewport(500..<501) == [
                "prioritize 0 background 0", "prioritize 1 background 0", "start 500 visible 0", "cancel 0", "cancel 1",
            ])
    }

    @Test mutating func `A change of the distance to the middle changes the priority`() {
        harness.setViewport(0..<2)

        #expect(
            harness.setViewport(0..<4) == [
                "start 2 visible 0", "prioritize 1 visible 1", "start 3 visible 1", "prioritize 0 visible 2",
            ])
    }

    @Test mutating func `A known row is not started`() {
        harness.known = [11]

        #expect(harness.setViewport(10..<12) == ["start 10 visible 1"])
    }

    @Test mutating func `A failed row is started by a retry or when it returns to the view, not before`() {
        harness.setViewport(0..<1)
        harness.handle(.failed(0, PlannerHarness.LoadFailure()))

        #expect(harness.setViewport(0..<1) == [])
        #expect(harness.handle(.retry(0)) == ["start 0 visible 0"])
        #expect(harness.handle(.retry(0)) == [])

        harness.handle(.failed(0, PlannerHarness.LoadFailure()))
        harness.setViewport(500..<501)
        #expect(harness.setViewport(0..<1).contains("start 0 visible 0"))
    }

    @Test mutating func `A new order moves rows and does not restart them`() {
        harness.setViewport(0..<3)

        #expect(harness.handle(.list(FeedSnapshot([2, 1, 0, 3].map(PlannerHarness.Row.init)))) == [])
        #expect(harness.setViewport(0..<3) == [])
        #expect(harness.handle(.list(FeedSnapshot([3].map(PlannerHarness.Row.init)))).sorted() == ["cancel 0", "cancel 1", "cancel 2"])
    }

    @Test(
        arguments: [
            (.list(FeedSnapshot([1, 0].map(PlannerHarness.Row.init))), true), (.list(FeedSnapshot([PlannerHarness.Row(id: 1)])), false),
            (.viewport(Viewport(visible: 0..<9), missing: [0], at: .zero), true),
            (.viewport(Viewport(visible: 500..<501), missing: [500], at: .zero), false),
            (.retry(1), true), (.retry(0), false), (.clearFailures([1]), true), (.clearFailures([0, 1]), false), (.invalidateAll, false),
            (.cancelled(0), true), (.loaded(0, after: .zero), false),
        ] as [(PlannerHarness.Planner.Event, Bool)])
    mutating func `A row has its error until it is retried or loaded, or leaves the scope or the list`(
        event: PlannerHarness.Planner.Event, hasError: Bool
    ) {
        harness.setViewport(0..<1)
        #expect(harness.planner.failure(of: 0) == nil)
        harness.handle(.failed(0, PlannerHarness.LoadFailure()))
        #expect(harness.planner.failure(of: 0) is PlannerHarness.LoadFailure)

        harness.handle(event)

        #expect((harness.planner.failure(of: 0) is PlannerHarness.LoadFailure) == hasError)
    }

    @Test mutating func `A row that fails after it has left the scope has no error`() {
        harness.setViewport(0..<1)
        harness.setViewport(500..<501)

        harness.handle(.failed(0, PlannerHarness.LoadFailure()))

        #expect(harness.planner.failure(of: 0) == nil)
        #expect(harness.planner.failures { _ in true } == [])
    }

    @Test mutating func `Failed rows are found by their errors`() {
        harness.setViewport(0..<4)
        for id in [0, 2] { harness.handle(.failed(id, PlannerHarness.LoadFailure())) }
        harness.handle(.failed(1, CancellationError()))

        #expect(harness.planner.failures { $0 is PlannerHarness.LoadFailure } == [0, 2])
        #expect(harness.planner.failures { $0 is CancellationError } == [1])
    }

    @Test mutating func `A refresh cancels all rows and starts those in view again`() {
        harness.setViewport(0..<2)

        #expect(harness.handle(.invalidateAll) == ["cancel 0", "cancel 1"])
        #expect(harness.setViewport(0..<2) == ["start 1 visible 0", "start 0 visible 1"])
    }

    @Test(
        arguments: [
            (Viewport(visible: 100..<110), [100..<110]), (Viewport(visible: 990..<1_010), [990..<1_000]),
            // The visible rows and 50 grid rows ahead of them are one range.
            (Viewport(visible: 100..<110, rowsPerSecond: 10), [100..<160]), (Viewport(visible: 100..<110, rowsPerSecond: -10), [50..<110]),
            (Viewport(visible: 20..<30, rowsPerSecond: -10), [0..<30]), (Viewport(visible: 980..<990, rowsPerSecond: 10), [980..<1_000]),
            (Viewport(visible: 300..<330, rowsPerSecond: 10, columns: 3), [300..<480]),
            // The landing is in scope, and not the rows before it.
            (Viewport(visible: 100..<110, rowsPerSecond: 10, landing: 105), [100..<115]),
            (Viewport(visible: 100..<110, rowsPerSecond: 10, landing: 110), [100..<120]),
            (Viewport(visible: 100..<110, rowsPerSecond: 10, landing: 111), [100..<110, 111..<121]),
        ] as [(Viewport, [Range<Int>])])
    func `The rows in view, ahead of it and at the landing are in scope`(viewport: Viewport, scope: [Range<Int>]) {
        #expect(harness.planner.scope(of: viewport, at: .zero) == scope)
    }

    // MARK: At rest

    @Test mutating func `At rest the next screen is prefetched once all rows in view are known`() {
        harness = PlannerHarness(count: 1_000, prefetchedScreens: 1)
        #expect(harness.setViewport(10..<13).starts == [10, 11, 12])
        harness.known = [10, 11]
        #expect(harness.setViewport(10..<13) == [])

        harness.known = [10, 11, 12]

        #expect(harness.setViewport(10..<13) == ["start 13 prefetch 2", "start 14 prefetch 3", "start 15 prefetch 4"])
        harness.known.formUnion(13..<16)
        #expect(harness.setViewport(10..<13) == [])
    }

    @Test mutating func `The next screen follows the last direction and covers whole grid rows`() {
        harness = PlannerHarness(count: 1_000, prefetchedScreens: 1)
        harness.known = Set(100..<110)
        harness.setViewport(105..<110, velocity: -4)
        #expect(harness.setViewport(100..<105).starts == [95, 96, 97, 98, 99])

        harness = PlannerHarness(count: 1_000, prefetchedScreens: 1)
        harness.known = Set(0..<6)
        #expect(harness.setViewport(0..<6, columns: 3).starts == [6, 7, 8, 9, 10, 11])
        #expect(harness.setViewport(0..<0).starts == [])
    }

    @Test(arguments: [(-1, 0), (0, 0), (4, 40), (5, 50), (6, 50), (Int.max, 50)])
    func `At most 50 grid rows are prefetched at rest`(screens: Int, count: Int) {
        var harness = PlannerHarness(count: 1_000, prefetchedScreens: screens)
        harness.known = Set(100..<110)

        #expect(harness.setViewport(100..<110).starts == Array(110..<(110 + count)))
    }

    @Test mutating func `A failed row in view does not block prefetching`() {
        harness = PlannerHarness(count: 1_000, prefetchedScreens: 1)
        harness.setViewport(0..<2)
        harness.handle(.failed(0, PlannerHarness.LoadFailure()))
        harness.known = [1]

        #expect(harness.setViewport(0..<2).starts == [2, 3])
    }

    // MARK: Passing rows

    @Test mutating func `A row that stays in view for less than 150 ms is not started`() {
        // At 40 rows per second the first 5 of 10 rows leave the view within 150 ms.
        #expect(harness.setViewport(100..<110, velocity: 40).starts == [105, 106, 107, 108, 109])
        harness = PlannerHarness(count: 1_000)
        #expect(harness.setViewport(100..<110, velocity: -40).starts == [100, 101, 102, 103, 104])
        harness = PlannerHarness(count: 1_000)
        #expect(harness.setViewport(100..<110, velocity: 1_000).starts == [])
    }

    @Test mutating func `All columns of a grid row leave the view at once`() {
        // With 3 columns and 40 grid rows per second the first 5 grid rows leave the view within 150 ms.
        #expect(harness.setViewport(300..<330, velocity: 40, columns: 3).starts == Array(315..<330))
    }

    @Test mutating func `Rows started before the scroll became fast continue while they are in view`() {
        harness.setViewport(100..<110)

        #expect(harness.setViewport(102..<112, velocity: 1_000).cancels == [100, 101])
    }

    @Test mutating func `The landing rows count as visible, nearest to their own middle first`() {
        let effects = harness.setViewport(100..<103, velocity: 5_000, landing: 900)

        #expect(effects == ["start 901 visible 0", "start 900 visible 1", "start 902 visible 1", "expect rest"])
    }

    @Test mutating func `A new landing cancels the rows of the previous one`() {
        harness.setViewport(100..<103, velocity: 5_000, landing: 900)

        let effects = harness.setViewport(103..<106, velocity: 5_000, landing: 500)

        #expect(effects.starts == [500, 501, 502])
        #expect(effects.cancels == [900, 901, 902])
    }

    @Test mutating func `The middle row is admitted after each second of fast scrolling`() {
        var started: [Int] = []
        for step in 0...22 {
            let first = step * 20
            started += harness.setViewport(first..<(first + 10), velocity: 200, at: .milliseconds(step * 100)).starts
        }

        #expect(started == [205, 405])
    }

    @Test mutating func `The row nearest to the middle that is not being loaded is admitted`() {
        harness.setViewport(101..<102)

        #expect(harness.setViewport(100..<103, velocity: 200).starts == [])
        #expect(harness.setViewport(100..<103, velocity: 200, at: .seconds(1)).starts == [100])
    }

    @Test mutating func `No row is admitted while one stays in view for 150 ms`() {
        #expect(harness.setViewport(100..<103, velocity: 20).starts == [102])
        #expect(harness.setViewport(100..<103, velocity: 20, at: .seconds(1)).starts == [])
    }

    @Test mutating func `A rest restarts the admission interval`() {
        for step in 0...9 { harness.setViewport(0..<10, velocity: 200, at: .milliseconds(step * 100)) }
        harness.known = Set(0..<10)
        harness.setViewport(0..<10, at: .milliseconds(950))
        harness.known = []

        #expect(harness.setViewport(500..<510, velocity: 200, at: .seconds(1)).starts == [])
    }

    @Test mutating func `A reported velocity is valid for half a second`() {
        #expect(harness.setViewport(0..<1, velocity: 1).contains("expect rest"))
        #expect(!harness.setViewport(0..<1, velocity: 0).contains("expect rest"))
    }

    // MARK: Prefetching

    @Test mutating func `Prefetch extends by velocity times latency in the direction of travel`() {
        harness.known = Set(90..<120)
        harness.setViewport(500..<501)
        harness.handle(.loaded(500, after: .milliseconds(400)))

        #expect(harness.setViewport(100..<110, velocity: 10).starts == [])
        harness.known = Set(100..<110)
        #expect(harness.setViewport(100..<110, velocity: 10).starts == [110, 111, 112, 113])
        #expect(harness.setViewport(100..<110, velocity: -10).starts == [96, 97, 98, 99])
    }

    @Test mutating func `Nothing is prefetched at rest, without a known latency, or for rows that would not stay in view`() {
        harness.known = Set(100..<110)
        #expect(harness.setViewport(100..<110, velocity: 10).starts == [])

        harness.setViewport(500..<501)
        harness.handle(.loaded(500, after: .seconds(1)))
        #expect(harness.setViewport(100..<110).starts == [])
        #expect(harness.setViewport(100..<110, velocity: 100).starts == [])
    }

    @Test(arguments: [(0.5, 1), (1, 1), (20, 10), (21, 0)] as [(Double, Int)])
    func `Rows are prefetched if they will stay in view for 150 ms`(velocity: Double, count: Int) {
        var harness = PlannerHarness(count: 1_000)
        harness.known = Set(100..<103)
        harness.setViewport(500..<501)
        harness.handle(.loaded(500, after: .milliseconds(500)))

        #expect(harness.setViewport(100..<103, velocity: velocity).starts == Array(103..<(103 + count)))
    }

    @Test mutating func `The latency is an average to which the last row contributes a quarter`() {
        harness.known = Set(100..<110)
        harness.setViewport(500..<502)
        harness.handle(.loaded(500, after: .milliseconds(500)))
        harness.handle(.loaded(501, after: .seconds(1)))

        // The average is 0.625 s.
        #expect(harness.setViewport(100..<110, velocity: 8).starts == [110, 111, 112, 113, 114])
    }

    @Test mutating func `Prefetch is limited on a slow link`() {
        harness.setViewport(0..<1)
        harness.handle(.loaded(0, after: .seconds(600)))
        harness.known = Set(100..<110)

        #expect(harness.setViewport(100..<110, velocity: 50).starts.count == ScrollLoadPolicy.gridRowLimit)
    }

    @Test mutating func `A scroll that slows down cancels no prefetched row`() {
        harness.setViewport(0..<1)
        harness.handle(.loaded(0, after: .seconds(1)))
        harness.known = Set(100..<110)
        harness.setViewport(100..<110, velocity: 20)

        #expect(harness.setViewport(100..<110) == [])
        #expect(harness.setViewport(100..<110, velocity: -1).cancels.count == 20)
    }

    @Test(arguments: [Int.min, -1, 0, 1 << 40, 1 << 40 + 1, .max - 5, .max])
    func `Extreme indices are clamped`(index: Int) {
        let last = min(index, Int.max - 1)
        let ranges: [Range<Int>] = [index..<index, last..<last + 1, min(index, 0)..<max(index, 0)]
        for visible in ranges {
            let viewport = Viewport(visible: visible, rowsPerSecond: -1, landing: index, columns: 200)

            #expect((0...Viewport.indexLimit).contains(viewport.visible.lowerBound))
            #expect((0...Viewport.indexLimit).contains(viewport.visible.upperBound))
            #expect((0...Viewport.indexLimit).contains(viewport.landing ?? -1))
            var harness = PlannerHarness(count: 10, prefetchedScreens: 2)
            #expect(harness.setViewport(visible, velocity: 5, landing: index, columns: 200).starts.count <= 10)
            #expect(harness.setViewport(visible, columns: 3).starts.count <= 10)
            #expect(viewport.moved(by: 10).visible.count == viewport.visible.count)
        }
    }

    // MARK: Random events

    @Test(arguments: TestSeeds.seeds(count: 40)) func `Random scrolls, sorts, refreshes and failures violate no invariant`(seed: UInt64) {
        var fuzzer = PlannerFuzzer(seed: seed)

        fuzzer.run(steps: 500)

        #expect(fuzzer.violations == [], "LADING_SEED=\(seed)")
    }

    @Test(arguments: TestSeeds.seeds(count: 5)) func `Replaying a recorded scroll gives the same decisions`(seed: UInt64) {
        var fuzzer = PlannerFuzzer(seed: seed)

        fuzzer.run(steps: 500)

        #expect(fuzzer.record.entries.count > 300)
        fuzzer.record.replay { step in #expect(step.effects == step.entry.effects, "LADING_SEED=\(seed)") }
    }
}
