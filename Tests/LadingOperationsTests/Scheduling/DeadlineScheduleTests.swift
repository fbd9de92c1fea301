import Testing

@testable import LadingOperations

/// Wishes that have to end in time.
@Suite struct DeadlineScheduleTests {
    private var pad = SchedulePad(width: 1)

    @Test mutating func `A wish that waits at its deadline expires unrun, and with it what depends on it`() {
        pad.begin("busy", .visible)
        #expect(pad.begin("late", .visible, deadline: .seconds(1)) == ["wake at 1.0 seconds"])
        pad.begin("after", .visible, after: ["late"])

        #expect(pad.handle(.ring(.seconds(1))) == ["settle late expired", "settle after dependencyFailed"])
        #expect(pad.finish("busy") == ["settle busy succeeded"])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `A flight that runs at the deadline of its only wish is interrupted`() {
        pad.begin("late", .visible, deadline: .seconds(1))

        #expect(pad.handle(.ring(.seconds(1))) == ["settle late expired", "interrupt late"])
        #expect(pad.finish("late", .cancelled) == [])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `The deadline of one that joined is its own`() {
        pad.begin("patient", .visible, key: "k")
        pad.begin("late", .visible, key: "k", deadline: .seconds(1))

        #expect(pad.handle(.ring(.seconds(1))) == ["settle late expired"])
        #expect(pad.finish("patient") == ["settle patient succeeded"])
    }

    @Test mutating func `A deadline of one that ended in time is of no account`() {
        pad.begin("a", .visible, deadline: .seconds(1))
        pad.finish("a")
        pad.begin("b", .visible)

        #expect(pad.handle(.ring(.seconds(1))) == [])
        #expect(pad.schedule.alarms.isEmpty)
    }

    @Test mutating func `One that runs anyway runs after a dependency that was late`() {
        pad.begin("late", .visible, deadline: .seconds(1))
        pad.begin("report", .visible, after: ["late"], runsAnyway: true)

        #expect(pad.handle(.ring(.seconds(1))) == ["settle late expired", "interrupt late"])
        #expect(pad.finish("late", .cancelled) == ["run report"])
    }

    @Test mutating func `Rest, pause, check and exclusion end at the deadline as well`() {
        pad = SchedulePad(width: 4)
        pad.begin("rests", .visible, deadline: .seconds(1))
        pad.rest("rests", until: .seconds(9))
        pad.begin("is paused", .visible, deadline: .seconds(1), isPaused: true)
        pad.begin("is checked", .visible, isConditional: true, deadline: .seconds(1))
        pad.begin("holder", .visible, exclusion: "x")
        pad.begin("is excluded", .visible, exclusion: "x", deadline: .seconds(1))

        #expect(
            pad.handle(.ring(.seconds(1))) == [
                "wake at 9.0 seconds", "settle rests expired", "settle is paused expired", "settle is checked expired",
                "interrupt is checked", "settle is excluded expired",
            ])
        pad.finish("is checked", .cancelled)
        pad.finish("holder")
        #expect(pad.schedule.isIdle)
    }
}
