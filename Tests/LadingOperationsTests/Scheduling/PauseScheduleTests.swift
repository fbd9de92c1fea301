import Testing

@testable import LadingOperations

@Suite struct PauseScheduleTests {
    private var harness = ScheduleHarness(width: 1)

    @Test mutating func `A waiter that is submitted paused starts when it is resumed`() {
        #expect(harness.begin("a", .visible, isPaused: true) == ["a is paused"])
        #expect(harness.begin("b", .background) == ["run b"])

        #expect(harness.setPaused("a", false) == [])
        #expect(harness.finish("b") == ["settle b succeeded", "run a"])
    }

    @Test mutating func `A waiter that is paused while ready leaves the queue`() {
        harness.begin("a", .visible)
        harness.begin("b", .visible)
        harness.begin("c", .background)

        #expect(harness.setPaused("b") == ["b is paused"])
        #expect(harness.finish("a") == ["settle a succeeded", "run c"])
        #expect(harness.setPaused("b", false) == [])
        #expect(harness.finish("c") == ["settle c succeeded", "run b"])
    }

    @Test mutating func `A flight is not paused while one of its waiters is not paused`() {
        harness.begin("busy", .visible)
        harness.begin("a", .visible, key: "k")
        harness.begin("b", .visible, key: "k")

        #expect(harness.setPaused("a") == [])
        #expect(harness.setPaused("b") == ["a is paused"])
        #expect(harness.setPaused("a", false) == [])
        #expect(harness.setPaused("a") == ["a is paused"])
        #expect(harness.setPaused("a", false) == [])
        #expect(harness.finish("busy") == ["settle busy succeeded", "run a"])
        #expect(harness.finish("a") == ["settle a succeeded", "settle b succeeded"])
    }

    @Test mutating func `A paused waiter that was cancelled does not count`() {
        harness.begin("busy", .visible)
        for name in ["a", "b", "c"] { harness.begin(name, .visible, key: "k") }
        harness.setPaused("b")

        #expect(harness.cancel("b") == ["settle b cancelled"])
        #expect(harness.setPaused("a") == [])
        #expect(harness.setPaused("c") == ["a is paused"])
    }

    @Test mutating func `A flight is paused when its last unpaused waiter is cancelled, and resumed when an unpaused waiter joins`() {
        harness.begin("busy", .visible)
        harness.begin("a", .visible, key: "k")
        harness.begin("b", .visible, key: "k", isPaused: true)

        #expect(harness.cancel("a") == ["settle a cancelled", "a is paused"])
        #expect(harness.finish("busy") == ["settle busy succeeded"])
        #expect(harness.begin("c", .background, key: "k") == ["run a"])
    }

    @Test mutating func `Pausing a lane while the queue drains cancels what waits for a slot of it`() {
        harness.begin("running", .visible)
        harness.begin("flight", .visible, isQueuedDirectly: false)
        harness.begin("queued", .visible)
        #expect(harness.handle(.beginDraining) == [])

        #expect(Set(harness.handle(.pause(.network))) == ["settle flight cancelled", "settle queued cancelled"])
        #expect(harness.finish("running") == ["settle running succeeded"])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `Pausing does not stop running work`() {
        harness.begin("a", .visible)

        #expect(harness.setPaused("a") == [])
        #expect(harness.finish("a") == ["settle a succeeded"])
    }

    @Test mutating func `Dependents of a paused waiter wait, and the waiter can be cancelled`() {
        harness.begin("a", .visible, isPaused: true)
        harness.begin("b", .visible, after: ["a"])

        #expect(harness.cancel("a") == ["settle a cancelled", "settle b cancelled"])
        #expect(harness.schedule.isIdle)
    }
}
