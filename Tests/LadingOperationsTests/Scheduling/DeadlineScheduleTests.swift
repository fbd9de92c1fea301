import Testing

@testable import LadingOperations

@Suite struct DeadlineScheduleTests {
    private var harness = ScheduleHarness(width: 1)

    @Test mutating func `A waiter that still waits at its deadline expires without running, and its dependents fail`() {
        harness.begin("busy", .visible)
        #expect(harness.begin("late", .visible, deadline: .seconds(1)) == ["wake at 1.0 seconds"])
        harness.begin("after", .visible, after: ["late"])

        #expect(harness.handle(.fireTimers(.seconds(1))) == ["settle late expired", "settle after dependencyFailed"])
        #expect(harness.finish("busy") == ["settle busy succeeded"])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `A running flight is interrupted at the deadline of its only waiter`() {
        harness.begin("late", .visible, deadline: .seconds(1))

        #expect(harness.handle(.fireTimers(.seconds(1))) == ["settle late expired", "interrupt late"])
        #expect(harness.finish("late", .cancelled) == [])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `The deadline of a waiter that joined a flight does not affect other waiters`() {
        harness.begin("patient", .visible, key: "k")
        harness.begin("late", .visible, key: "k", deadline: .seconds(1))

        #expect(harness.handle(.fireTimers(.seconds(1))) == ["settle late expired"])
        #expect(harness.finish("patient") == ["settle patient succeeded"])
    }

    @Test mutating func `The deadline of a completed waiter has no effect`() {
        harness.begin("a", .visible, deadline: .seconds(1))
        harness.finish("a")
        harness.begin("b", .visible)

        #expect(harness.handle(.fireTimers(.seconds(1))) == [])
        #expect(harness.schedule.timers.isEmpty)
    }

    @Test mutating func `A waiter has one timer, for its earliest deadline`() throws {
        harness.begin("late", .visible, deadline: .seconds(2))
        harness.begin("other", .visible, deadline: .seconds(5))
        let waiter = harness.waiter(of: "late")
        let late = try #require(waiter)

        #expect(harness.handle(.setDeadline(late, at: .seconds(3))) == [])
        #expect(harness.handle(.setDeadline(late, at: .seconds(1))) == ["wake at 1.0 seconds"])
        #expect(harness.handle(.setDeadline(late, at: .seconds(4))) == [])
        #expect(harness.schedule.timers.count == 2)

        let effects = harness.handle(.fireTimers(.seconds(1)))
        #expect(effects.contains("settle late expired") && !effects.contains("settle other expired"))
        #expect(harness.handle(.setDeadline(late, at: .seconds(9))) == [])
    }

    @Test mutating func `An operation that runs on failure runs after a dependency exceeded its deadline`() {
        harness.begin("late", .visible, deadline: .seconds(1))
        harness.begin("report", .visible, after: ["late"], runsOnFailure: true)

        #expect(harness.handle(.fireTimers(.seconds(1))) == ["settle late expired", "interrupt late"])
        #expect(harness.finish("late", .cancelled) == ["run report"])
    }

    @Test mutating func `The deadline also applies during retry delay, pause, check and exclusion`() {
        harness = ScheduleHarness(width: 4)
        harness.begin("rests", .visible, deadline: .seconds(1))
        harness.retry("rests", at: .seconds(9))
        harness.begin("is paused", .visible, deadline: .seconds(1), isPaused: true)
        harness.begin("is checked", .visible, hasConditions: true, deadline: .seconds(1))
        harness.begin("holder", .visible, exclusionGroup: "x")
        harness.begin("is excluded", .visible, exclusionGroup: "x", deadline: .seconds(1))

        #expect(
            harness.handle(.fireTimers(.seconds(1))) == [
                "wake at 9.0 seconds", "settle rests expired", "settle is paused expired", "settle is checked expired",
                "interrupt is checked", "settle is excluded expired",
            ])
        harness.finish("is checked", .cancelled)
        harness.finish("holder")
        #expect(harness.schedule.isIdle)
    }
}
