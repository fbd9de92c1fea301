import Testing

@testable import LadingOperations

@Suite struct RetryScheduleTests {
    private var harness = ScheduleHarness(width: 1)

    @Test mutating func `A flight that awaits a retry releases its slot, and becomes ready after the delay`() {
        harness.begin("a", .visible)
        harness.begin("b", .background)

        #expect(harness.retry("a", at: .seconds(2)) == ["a is awaitingRetry", "wake at 2.0 seconds", "run b"])
        #expect(harness.handle(.fireTimers(.seconds(1))) == ["wake at 2.0 seconds"])
        #expect(harness.handle(.fireTimers(.seconds(2))) == [])
        #expect(harness.finish("b") == ["settle b succeeded", "run a"])
        #expect(harness.finish("a") == ["settle a succeeded"])
    }

    @Test mutating func `The earliest wake time is requested first, then the next`() {
        harness = ScheduleHarness(width: 2)
        harness.begin("a", .visible)
        harness.begin("b", .visible)

        #expect(harness.retry("a", at: .seconds(5)).last == "wake at 5.0 seconds")
        #expect(harness.retry("b", at: .seconds(3)).last == "wake at 3.0 seconds")
        #expect(harness.handle(.fireTimers(.seconds(3))) == ["wake at 5.0 seconds", "run b"])
        #expect(harness.handle(.fireTimers(.seconds(5))) == ["run a"])
    }

    @Test mutating func `A flight that awaits a retry is removed when its last waiter is cancelled`() {
        harness.begin("a", .visible)
        harness.retry("a", at: .seconds(1))

        #expect(harness.cancel("a") == ["settle a cancelled"])
        #expect(harness.schedule.isIdle)
        #expect(harness.handle(.fireTimers(.seconds(1))) == [])
    }

    @Test mutating func `A flight that awaits a retry can be joined, and is retried for the new waiter`() {
        harness.begin("a", .visible, key: "k")
        harness.retry("a", at: .seconds(1))

        #expect(harness.begin("b", .visible, key: "k") == [])
        harness.cancel("a")
        #expect(harness.handle(.fireTimers(.seconds(1))) == ["run a"])
        #expect(harness.finish("a") == ["settle b succeeded"])
    }

    @Test mutating func `An interrupted flight is not retried`() {
        harness.begin("a", .visible)
        harness.cancel("a")

        #expect(harness.retry("a", at: .seconds(1)) == [])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `A flight that is paused while it awaits a retry starts when it is resumed`() {
        harness.begin("a", .visible)
        harness.retry("a", at: .seconds(1))
        harness.setPaused("a")

        #expect(harness.handle(.fireTimers(.seconds(1))) == ["a is paused"])
        #expect(harness.setPaused("a", false) == ["run a"])
    }
}
