import Testing

@testable import LadingOperations

@Suite struct ConditionScheduleTests {
    private var harness = ScheduleHarness(width: 1)

    @Test
    mutating func `A flight with conditions is checked when its dependencies have ended, and becomes ready when the conditions are met`() {
        harness.begin("first", nil)
        #expect(harness.begin("second", .visible, after: ["first"], hasConditions: true) == [])

        #expect(harness.finish("first") == ["settle first succeeded", "second is checking", "check second"])
        #expect(harness.conditionsSatisfied("second") == ["run second"])
        #expect(harness.finish("second") == ["settle second succeeded"])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `A check holds no slot`() {
        harness.begin("checked", .visible, hasConditions: true)

        #expect(harness.begin("other", .background) == ["run other"])
        #expect(harness.conditionsSatisfied("checked") == [])
        #expect(harness.finish("other") == ["settle other succeeded", "run checked"])
    }

    @Test mutating func `A failed condition completes the flight and its dependents`() {
        harness.begin("checked", .visible, hasConditions: true)
        harness.begin("after", .visible, after: ["checked"])

        #expect(harness.finish("checked", .failed) == ["settle checked failed", "settle after dependencyFailed"])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `A check without waiters is interrupted, and its flight is removed when the check has ended`() {
        harness.begin("checked", .visible, hasConditions: true)

        #expect(harness.cancel("checked") == ["settle checked cancelled", "interrupt checked"])
        #expect(!harness.schedule.isIdle)
        #expect(harness.finish("checked", .cancelled) == [])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `A check that succeeds after the last waiter was cancelled starts nothing`() {
        harness.begin("checked", .visible, key: "k", hasConditions: true)
        harness.cancel("checked")

        #expect(harness.begin("next", .visible, key: "k") == ["run next"])
        #expect(harness.conditionsSatisfied("checked") == [])
        #expect(harness.schedule.waiters.count == 1)
    }

    @Test mutating func `Waiters of one flight share its check`() {
        #expect(harness.begin("one", .visible, key: "k", hasConditions: true) == ["one is checking", "check one"])
        #expect(harness.begin("two", .visible, key: "k", hasConditions: true) == [])

        #expect(harness.cancel("one") == ["settle one cancelled"])
        #expect(harness.conditionsSatisfied("one") == ["run one"])
        #expect(harness.finish("one") == ["settle two succeeded"])
    }

    @Test mutating func `A flight that is paused during its check starts when it is resumed`() {
        harness.begin("checked", .visible, hasConditions: true)
        harness.setPaused("checked")

        #expect(harness.conditionsSatisfied("checked") == ["checked is paused"])
        #expect(harness.setPaused("checked", false) == ["run checked"])
    }
}
