import Testing

@testable import LadingOperations

/// Flights that failed and are tried again.
@Suite struct RestScheduleTests {
    private var pad = SchedulePad(width: 1)

    @Test mutating func `A flight that rests gives its slot back, and lines up again when its time has come`() {
        pad.begin("a", .visible)
        pad.begin("b", .background)

        #expect(pad.rest("a", until: .seconds(2)) == ["a is resting", "wake at 2.0 seconds", "run b"])
        #expect(pad.handle(.ring(.seconds(1))) == ["wake at 2.0 seconds"])
        #expect(pad.handle(.ring(.seconds(2))) == [])
        #expect(pad.finish("b") == ["settle b succeeded", "run a"])
        #expect(pad.finish("a") == ["settle a succeeded"])
    }

    @Test mutating func `The earliest time is asked for, and then the next`() {
        pad = SchedulePad(width: 2)
        pad.begin("a", .visible)
        pad.begin("b", .visible)

        #expect(pad.rest("a", until: .seconds(5)).last == "wake at 5.0 seconds")
        #expect(pad.rest("b", until: .seconds(3)).last == "wake at 3.0 seconds")
        #expect(pad.handle(.ring(.seconds(3))) == ["wake at 5.0 seconds", "run b"])
        #expect(pad.handle(.ring(.seconds(5))) == ["run a"])
    }

    @Test mutating func `A flight that rests is gone when nobody wants it any more`() {
        pad.begin("a", .visible)
        pad.rest("a", until: .seconds(1))

        #expect(pad.withdraw("a") == ["settle a cancelled"])
        #expect(pad.schedule.isIdle)
        #expect(pad.handle(.ring(.seconds(1))) == [])
    }

    @Test mutating func `A flight that rests can be joined, and is then tried for the other`() {
        pad.begin("a", .visible, key: "k")
        pad.rest("a", until: .seconds(1))

        #expect(pad.begin("b", .visible, key: "k") == [])
        pad.withdraw("a")
        #expect(pad.handle(.ring(.seconds(1))) == ["run a"])
        #expect(pad.finish("a") == ["settle b succeeded"])
    }

    @Test mutating func `A flight that was interrupted is not tried again`() {
        pad.begin("a", .visible)
        pad.withdraw("a")

        #expect(pad.rest("a", until: .seconds(1)) == [])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `A flight that is paused while it rests starts when it is freed`() {
        pad.begin("a", .visible)
        pad.rest("a", until: .seconds(1))
        pad.hold("a")

        #expect(pad.handle(.ring(.seconds(1))) == ["a is held"])
        #expect(pad.hold("a", false) == ["run a"])
    }

    @Test mutating func `Alarms of what ended in time do not pile up`() {
        for index in 1...1_000 {
            pad.begin("\(index)", .visible, deadline: .seconds(3_600))
            pad.finish("\(index)")
        }

        #expect(pad.schedule.alarms.count <= 70)
    }
}
