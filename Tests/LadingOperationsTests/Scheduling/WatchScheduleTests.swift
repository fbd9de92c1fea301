import Testing

@testable import LadingOperations

/// Turns that are told because somebody follows them.
@Suite struct WatchScheduleTests {
    private var pad = SchedulePad(width: 1)

    @Test mutating func `Each turn of a flight that is watched is told`() {
        pad.begin("busy", .visible)
        pad.begin("first", .visible)
        pad.begin("a", .visible, after: ["first"])
        pad.watch("a")

        #expect(pad.finish("busy") == ["settle busy succeeded", "run first"])
        #expect(pad.finish("first") == ["settle first succeeded", "a is ready", "a is running", "run a"])
        #expect(pad.rest("a", until: .seconds(1)) == ["a is resting", "wake at 1.0 seconds"])
        #expect(pad.handle(.ring(.seconds(1))) == ["a is ready", "a is running", "run a"])
    }

    @Test mutating func `One that was watched before it came in is told of from the beginning`() {
        pad.begin("first", .visible)

        #expect(pad.begin("a", .visible, after: ["first"], isWatched: true) == ["a is waiting(1)"])
        #expect(pad.begin("b", .visible, key: "k", isWatched: true) == ["b is ready"])
        #expect(pad.begin("c", .visible, key: "k", isWatched: true) == ["b is ready"])
    }

    @Test mutating func `Turns that nobody watches are told when they are out of the ordinary, not otherwise`() {
        #expect(pad.begin("a", .visible) == ["run a"])
        #expect(pad.begin("b", .visible, isPaused: true) == ["b is held"])
    }
}
