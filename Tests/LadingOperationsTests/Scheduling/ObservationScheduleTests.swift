import Testing

@testable import LadingOperations

/// Tests of transitions that are reported for observed flights.
@Suite struct ObservationScheduleTests {
    private var harness = ScheduleHarness(width: 1)

    @Test mutating func `Every phase change of an observed flight is reported`() {
        harness.begin("busy", .visible)
        harness.begin("first", .visible)
        harness.begin("a", .visible, after: ["first"])
        harness.observe("a")

        #expect(harness.finish("busy") == ["settle busy succeeded", "run first"])
        #expect(harness.finish("first") == ["settle first succeeded", "a is ready", "a is running", "run a"])
        #expect(harness.retry("a", at: .seconds(1)) == ["a is awaitingRetry", "wake at 1.0 seconds"])
        #expect(harness.handle(.fireTimers(.seconds(1))) == ["a is ready", "a is running", "run a"])
    }

    @Test mutating func `A flight that is observed before its submission reports its phases from the beginning`() {
        harness.begin("first", .visible)

        #expect(harness.begin("a", .visible, after: ["first"], isObserved: true) == ["a is waiting(1)"])
        #expect(harness.begin("b", .visible, key: "k", isObserved: true) == ["b is ready"])
        #expect(harness.begin("c", .visible, key: "k", isObserved: true) == ["b is ready"])
    }

    @Test mutating func `Without observers only some phases are reported`() {
        #expect(harness.begin("a", .visible) == ["run a"])
        #expect(harness.begin("b", .visible, isPaused: true) == ["b is paused"])
    }
}
