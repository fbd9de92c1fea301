import LadingOperations
import LadingTesting
import Testing

@testable import LadingFeeds

/// Which rows are wished for, as tables: viewport in, effects out.
@Suite struct FeedPlannerTests {
    private var pad = PlannerPad(count: 1_000)

    // MARK: What is in view

    @Test mutating func `Rows in view start, those nearest to the middle first`() {
        #expect(pad.show(10..<13) == ["start 11 visible 0", "start 10 visible 1", "start 12 visible 1"])
    }

    @Test mutating func `Rows that leave the view are put last before others start, and cancelled after it`() {
        pad.show(0..<2)

        #expect(
            pad.show(500..<501) == [
                "prioritize 0 background 0", "prioritize 1 background 0", "start 500 visible 0", "cancel 0", "cancel 1",
            ])
    }

    @Test mutating func `A row whose distance to the middle changes gets another priority`() {
        pad.show(0..<2)

        #expect(
            pad.show(0..<4) == [
                "start 2 visible 0", "prioritize 1 visible 1", "start 3 visible 1", "prioritize 0 visible 2",
            ])
    }

    @Test mutating func `A row that is known is not loaded`() {
        pad.known = [11]

        #expect(pad.show(10..<12) == ["start 10 visible 1"])
    }

    @Test mutating func `A row that failed starts again when it is asked for and when it comes back into view, not before`() {
        pad.show(0..<1)
        pad.handle(.failed(0))

        #expect(pad.show(0..<1) == [])
        #expect(pad.handle(.retry(0)) == ["start 0 visible 0"])
        #expect(pad.handle(.retry(0)) == [])

        pad.handle(.failed(0))
        pad.show(500..<501)
        #expect(pad.show(0..<1).contains("start 0 visible 0"))
    }

    @Test mutating func `Another order moves rows, never their work`() {
        pad.show(0..<3)

        #expect(pad.handle(.list(FeedSnapshot([2, 1, 0, 3].map(PlannerPad.Row.init)))) == [])
        #expect(pad.show(0..<3) == [])
        #expect(pad.handle(.list(FeedSnapshot([3].map(PlannerPad.Row.init)))).sorted() == ["cancel 0", "cancel 1", "cancel 2"])
    }

    @Test mutating func `A refresh lets go of everything, and asks for the same rows anew`() {
        pad.show(0..<2)

        #expect(pad.handle(.renew) == ["cancel 0", "cancel 1"])
        #expect(pad.show(0..<2) == ["start 1 visible 0", "start 0 visible 1"])
    }

    // MARK: At rest

    @Test mutating func `At rest the next screen is prefetched once all in view is there, and not before`() {
        pad = PlannerPad(count: 1_000, screensAtRest: 1)
        #expect(pad.show(10..<13).starts == [10, 11, 12])
        pad.known = [10, 11]
        #expect(pad.show(10..<13) == [])

        pad.known = [10, 11, 12]

        #expect(pad.show(10..<13) == ["start 13 prefetch 2", "start 14 prefetch 3", "start 15 prefetch 4"])
        pad.known.formUnion(13..<16)
        #expect(pad.show(10..<13) == [])
    }

    @Test mutating func `The next screen lies where the last move went, in a grid by whole lines, and nowhere while nothing is in view`() {
        pad = PlannerPad(count: 1_000, screensAtRest: 1)
        pad.known = Set(100..<110)
        pad.show(105..<110, speed: -4)
        #expect(pad.show(100..<105).starts == [95, 96, 97, 98, 99])

        pad = PlannerPad(count: 1_000, screensAtRest: 1)
        pad.known = Set(0..<6)
        #expect(pad.show(0..<6, columns: 3).starts == [6, 7, 8, 9, 10, 11])
        #expect(pad.show(0..<0).starts == [])
    }

    @Test mutating func `A row in view that failed holds up no prefetch`() {
        pad = PlannerPad(count: 1_000, screensAtRest: 1)
        pad.show(0..<2)
        pad.handle(.failed(0))
        pad.known = [1]

        #expect(pad.show(0..<2).starts == [2, 3])
    }

    // MARK: What passes

    @Test mutating func `A row that will be in view for less than 150 ms is not started, whichever way it goes`() {
        // 40 rows a second: the first 5 rows of 10 are gone within 150 ms.
        #expect(pad.show(100..<110, speed: 40).starts == [105, 106, 107, 108, 109])
        pad = PlannerPad(count: 1_000)
        #expect(pad.show(100..<110, speed: -40).starts == [100, 101, 102, 103, 104])
        pad = PlannerPad(count: 1_000)
        #expect(pad.show(100..<110, speed: 1_000).starts == [])
    }

    @Test mutating func `In a grid a whole line passes at once`() {
        // Lines of 3: 40 lines a second take the first 5 lines away within 150 ms.
        #expect(pad.show(300..<330, speed: 40, columns: 3).starts == Array(315..<330))
    }

    @Test mutating func `What was started before the scroll became quick goes on while it is in view`() {
        pad.show(100..<110)

        #expect(pad.show(102..<112, speed: 1_000).cancels == [100, 101])
    }

    @Test mutating func `Where the scroll will land counts as visible, from its own middle`() {
        let effects = pad.show(100..<103, speed: 5_000, landing: 900)

        #expect(effects == ["start 901 visible 0", "start 900 visible 1", "start 902 visible 1", "expect rest"])
    }

    @Test mutating func `Another landing lets go of the one before`() {
        pad.show(100..<103, speed: 5_000, landing: 900)

        let effects = pad.show(103..<106, speed: 5_000, landing: 500)

        #expect(effects.starts == [500, 501, 502])
        #expect(effects.cancels == [900, 901, 902])
    }

    @Test mutating func `After one second of passing the row in the middle is admitted, and again a second later`() {
        var started: [Int] = []
        for step in 0...22 {
            let first = step * 20
            started += pad.show(first..<(first + 10), speed: 200, at: .milliseconds(step * 100)).starts
        }

        #expect(started == [205, 405])
    }

    @Test mutating func `A second in which rows only passed begins anew after a rest`() {
        for step in 0...9 { pad.show(0..<10, speed: 200, at: .milliseconds(step * 100)) }
        pad.known = Set(0..<10)
        pad.show(0..<10, at: .milliseconds(950))
        pad.known = []

        #expect(pad.show(500..<510, speed: 200, at: .seconds(1)).starts == [])
    }

    @Test mutating func `A speed that is not told again is believed for half a second`() {
        #expect(pad.show(0..<1, speed: 1).contains("expect rest"))
        #expect(!pad.show(0..<1, speed: 0).contains("expect rest"))
    }

    // MARK: What comes into view

    @Test mutating func `Rows ahead are prefetched as far as the scroll gets while one is loaded, in the direction of travel`() {
        pad.known = Set(90..<120)
        pad.show(500..<501)
        pad.handle(.loaded(500, after: .milliseconds(400)))

        #expect(pad.show(100..<110, speed: 10).starts == [])
        pad.known = Set(100..<110)
        #expect(pad.show(100..<110, speed: 10).starts == [110, 111, 112, 113])
        #expect(pad.show(100..<110, speed: -10).starts == [96, 97, 98, 99])
    }

    @Test mutating func `Rows are not prefetched at rest, before any latency is known, or when they would not stay`() {
        pad.known = Set(100..<110)
        #expect(pad.show(100..<110, speed: 10).starts == [])

        pad.show(500..<501)
        pad.handle(.loaded(500, after: .seconds(1)))
        #expect(pad.show(100..<110).starts == [])
        #expect(pad.show(100..<110, speed: 100).starts == [])
    }

    @Test mutating func `Prefetch is bounded, however slow the line`() {
        pad.show(0..<1)
        pad.handle(.loaded(0, after: .seconds(600)))
        pad.known = Set(100..<110)

        #expect(pad.show(100..<110, speed: 50).starts.count == ScrollPace.lineLimit)
    }

    @Test mutating func `A scroll that slows down throws nothing away that it has begun ahead`() {
        pad.show(0..<1)
        pad.handle(.loaded(0, after: .seconds(1)))
        pad.known = Set(100..<110)
        pad.show(100..<110, speed: 20)

        #expect(pad.show(100..<110) == [])
        #expect(pad.show(100..<110, speed: -1).cancels.count == 20)
    }

    // MARK: All together

    @Test(arguments: Seeds.several(40)) func `Whatever is scrolled, sorted, refreshed and failed, the laws hold`(seed: UInt64) {
        var monkey = PlannerMonkey(seed: seed)

        monkey.run(steps: 500)

        #expect(monkey.violations == [], "LADING_SEED=\(seed)")
    }

    @Test(arguments: Seeds.several(5)) func `A recorded scroll can be replayed and gives the same decisions`(seed: UInt64) {
        var monkey = PlannerMonkey(seed: seed)

        monkey.run(steps: 500)

        #expect(monkey.record.entries.count > 300)
        monkey.record.replay { step in #expect(step.effects == step.entry.effects, "LADING_SEED=\(seed)") }
    }
}
