import Testing

@testable import LadingOperations

/// What stands between the end of the dependencies and the line for a slot.
@Suite struct ConditionScheduleTests {
    private var pad = SchedulePad(width: 1)

    @Test mutating func `A flight with conditions is checked when its dependencies have ended, and lines up when they hold`() {
        pad.begin("first", nil)
        #expect(pad.begin("second", .visible, after: ["first"], isConditional: true) == [])

        #expect(pad.finish("first") == ["settle first succeeded", "second is checking", "check second"])
        #expect(pad.met("second") == ["run second"])
        #expect(pad.finish("second") == ["settle second succeeded"])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `A check holds no slot`() {
        pad.begin("checked", .visible, isConditional: true)

        #expect(pad.begin("other", .background) == ["run other"])
        #expect(pad.met("checked") == [])
        #expect(pad.finish("other") == ["settle other succeeded", "run checked"])
    }

    @Test mutating func `A condition that does not hold ends the flight and what depends on it`() {
        pad.begin("checked", .visible, isConditional: true)
        pad.begin("after", .visible, after: ["checked"])

        #expect(pad.finish("checked", .failed) == ["settle checked failed", "settle after dependencyFailed"])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `A check that nobody wants any more is interrupted, and gone when it has ended`() {
        pad.begin("checked", .visible, isConditional: true)

        #expect(pad.withdraw("checked") == ["settle checked cancelled", "interrupt checked"])
        #expect(!pad.schedule.isIdle)
        #expect(pad.finish("checked", .cancelled) == [])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `A check that holds although nobody wants it any more starts nothing`() {
        pad.begin("checked", .visible, key: "k", isConditional: true)
        pad.withdraw("checked")

        #expect(pad.begin("next", .visible, key: "k") == ["run next"])
        #expect(pad.met("checked") == [])
        #expect(pad.schedule.wishes.count == 1)
    }

    @Test mutating func `Those that share a flight share its check`() {
        #expect(pad.begin("one", .visible, key: "k", isConditional: true) == ["one is checking", "check one"])
        #expect(pad.begin("two", .visible, key: "k", isConditional: true) == [])

        #expect(pad.withdraw("one") == ["settle one cancelled"])
        #expect(pad.met("one") == ["run one"])
        #expect(pad.finish("one") == ["settle two succeeded"])
    }

    @Test mutating func `What is paused while it is checked starts when it is freed`() {
        pad.begin("checked", .visible, isConditional: true)
        pad.hold("checked")

        #expect(pad.met("checked") == ["checked is held"])
        #expect(pad.hold("checked", false) == ["run checked"])
    }
}
