import Testing

@testable import LadingOperations

/// Wishes that are paused, one by one.
@Suite struct HoldScheduleTests {
    private var pad = SchedulePad(width: 1)

    @Test mutating func `A wish that is paused from the beginning starts when it is freed`() {
        #expect(pad.begin("a", .visible, isPaused: true) == ["a is held"])
        #expect(pad.begin("b", .background) == ["run b"])

        #expect(pad.hold("a", false) == [])
        #expect(pad.finish("b") == ["settle b succeeded", "run a"])
    }

    @Test mutating func `A wish that is paused in line leaves the line`() {
        pad.begin("a", .visible)
        pad.begin("b", .visible)
        pad.begin("c", .background)

        #expect(pad.hold("b") == ["b is held"])
        #expect(pad.finish("a") == ["settle a succeeded", "run c"])
        #expect(pad.hold("b", false) == [])
        #expect(pad.finish("c") == ["settle c succeeded", "run b"])
    }

    @Test mutating func `A flight goes on as long as one who wants it has not paused it`() {
        pad.begin("busy", .visible)
        pad.begin("a", .visible, key: "k")
        pad.begin("b", .visible, key: "k")

        #expect(pad.hold("a") == [])
        #expect(pad.hold("b") == ["a is held"])
        #expect(pad.hold("a", false) == [])
        #expect(pad.finish("busy") == ["settle busy succeeded", "run a"])
        #expect(pad.finish("a") == ["settle a succeeded", "settle b succeeded"])
    }

    @Test mutating func `A flight is held when the last who has not paused it leaves, and freed when one joins who has not`() {
        pad.begin("busy", .visible)
        pad.begin("a", .visible, key: "k")
        pad.begin("b", .visible, key: "k", isPaused: true)

        #expect(pad.withdraw("a") == ["settle a cancelled", "a is held"])
        #expect(pad.finish("busy") == ["settle busy succeeded"])
        #expect(pad.begin("c", .background, key: "k") == ["run a"])
    }

    @Test mutating func `What runs goes on`() {
        pad.begin("a", .visible)

        #expect(pad.hold("a") == [])
        #expect(pad.finish("a") == ["settle a succeeded"])
    }

    @Test mutating func `A paused wish keeps what depends on it waiting, and is cancelled like any other`() {
        pad.begin("a", .visible, isPaused: true)
        pad.begin("b", .visible, after: ["a"])

        #expect(pad.withdraw("a") == ["settle a cancelled", "settle b cancelled"])
        #expect(pad.schedule.isIdle)
    }
}
