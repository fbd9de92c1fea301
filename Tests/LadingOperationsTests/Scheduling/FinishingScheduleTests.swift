import Testing

@testable import LadingOperations

/// Tests of waiters whose work completes even if no waiter is left.
@Suite struct FinishingScheduleTests {
    private var harness = ScheduleHarness(width: 2)

    private mutating func isFinishing(_ name: String) -> Bool? {
        guard let waiter = harness.waiter(of: name) else { return nil }
        return harness.schedule.isFinishing(waiter)
    }

    @Test mutating func `A waiter is finishing from when its flight is nearly complete until it has ended`() {
        harness.begin("a", .visible)
        #expect(isFinishing("a") == false)

        harness.markFinishing("a")
        #expect(isFinishing("a") == true)

        harness.finish("a")
        #expect(isFinishing("a") == false)
    }

    @Test mutating func `A waiter with dependencies is finishing when all pending ones are`() {
        for name in ["a", "b"] { harness.begin(name, .visible) }
        harness.begin("join", .visible, after: ["a", "b"])

        harness.markFinishing("a")
        #expect(isFinishing("join") == false)
        harness.markFinishing("b")
        #expect(isFinishing("join") == true)
        harness.finish("a")
        #expect(isFinishing("join") == true)
        harness.finish("b")
        #expect(isFinishing("join") == false)
    }

    @Test mutating func `A waiter whose flight continues with another operation is finishing when that one is`() {
        harness.begin("list", .visible)
        harness.begin("item", nil)
        harness.finish("list", continuingWith: "item")
        #expect(isFinishing("list") == false)

        harness.markFinishing("item")

        #expect(isFinishing("list") == true)
    }
}
