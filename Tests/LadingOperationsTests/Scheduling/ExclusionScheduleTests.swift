import Testing

@testable import LadingOperations

/// Flights of which one runs at a time.
@Suite struct ExclusionScheduleTests {
    private var pad = SchedulePad(width: 3)

    @Test mutating func `Of those with one exclusion one runs at a time, the most urgent next, whatever its lane`() {
        #expect(pad.begin("a", .visible, exclusion: "x") == ["run a"])
        #expect(pad.begin("b", .background, exclusion: "x") == ["b is excluded"])
        #expect(pad.begin("c", .visible, in: .cpu, exclusion: "x") == ["c is excluded"])
        #expect(pad.begin("free", .background) == ["run free"])

        #expect(pad.finish("a") == ["settle a succeeded", "run c"])
        #expect(pad.finish("c") == ["settle c succeeded", "run b"])
        #expect(pad.finish("b") == ["settle b succeeded"])
        #expect(pad.schedule.exclusions.isEmpty)
    }

    @Test mutating func `Whoever waits for another of its exclusion takes no slot`() {
        pad = SchedulePad(width: 1)
        pad.begin("a", .visible, in: .cpu, exclusion: "x")

        #expect(pad.begin("b", .visible, exclusion: "x") == ["b is excluded"])
        #expect(pad.begin("c", .background) == ["run c"])
        #expect(pad.finish("a") == ["settle a succeeded"])
        #expect(pad.finish("c") == ["settle c succeeded", "run b"])
    }

    @Test mutating func `A failure and a cancellation let the next one run as well`() {
        for name in ["a", "b", "c"] { pad.begin(name, .visible, exclusion: "x") }

        #expect(pad.finish("a", .failed) == ["settle a failed", "run b"])
        #expect(pad.withdraw("b") == ["settle b cancelled", "interrupt b"])
        #expect(pad.finish("b", .cancelled) == ["run c"])
    }

    @Test mutating func `Whoever is cancelled while it waits is passed over`() {
        for name in ["a", "b", "c"] { pad.begin(name, .visible, exclusion: "x") }

        #expect(pad.withdraw("b") == ["settle b cancelled"])
        #expect(pad.finish("a") == ["settle a succeeded", "run c"])
    }

    @Test mutating func `One in a paused lane keeps none waiting in another`() {
        pad.begin("holder", .visible, exclusion: "x")
        pad.begin("paused", .visible, exclusion: "x")
        pad.begin("other", .background, in: .cpu, exclusion: "x")
        pad.handle(.pause(.network))

        #expect(pad.finish("holder") == ["settle holder succeeded", "run other"])
        #expect(pad.handle(.resume(.network)) == ["paused is excluded"])
        #expect(pad.finish("other") == ["settle other succeeded", "run paused"])
        #expect(pad.finish("paused") == ["settle paused succeeded"])
        #expect(pad.schedule.exclusions.isEmpty)
    }

    @Test mutating func `One in a full lane keeps none waiting in another`() {
        pad = SchedulePad(width: 1)
        pad.begin("holder", .visible, in: .cpu, exclusion: "x")
        pad.begin("waits for its lane too", .visible, exclusion: "x")
        pad.begin("fills the lane", .visible)
        pad.begin("other", .background, in: .cpu, exclusion: "x")

        #expect(pad.finish("holder") == ["settle holder succeeded", "run other"])
    }

    @Test mutating func `One that is paused while it waits lets the next one run`() {
        for name in ["a", "b", "c"] { pad.begin(name, .visible, exclusion: "x") }

        #expect(pad.hold("b") == ["b is held"])
        #expect(pad.finish("a") == ["settle a succeeded", "run c"])
        #expect(pad.hold("b", false) == ["b is excluded"])
        #expect(pad.finish("c") == ["settle c succeeded", "run b"])
    }

    @Test mutating func `One that becomes more urgent while it waits goes first`() {
        for name in ["a", "b", "c"] { pad.begin(name, .background, exclusion: "x") }

        pad.ask("c", .visible)

        #expect(pad.finish("a") == ["settle a succeeded", "run c"])
    }

    @Test mutating func `One that rests or goes on with another lets the next one run`() {
        for name in ["a", "b", "c"] { pad.begin(name, .visible, exclusion: "x") }
        pad.begin("next", nil, after: ["c"])

        #expect(pad.rest("a", until: .seconds(1)) == ["a is resting", "wake at 1.0 seconds", "run b"])
        pad.begin("item", .background, in: .cpu)
        #expect(pad.finish("b", continuingWith: "item") == ["run c"])
        #expect(pad.handle(.ring(.seconds(1))) == ["a is excluded"])
        #expect(pad.finish("c") == ["settle c succeeded", "run a", "run next"])
    }
}
