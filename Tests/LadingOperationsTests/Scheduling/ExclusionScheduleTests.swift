import Testing

@testable import LadingOperations

@Suite struct ExclusionScheduleTests {
    private var harness = ScheduleHarness(width: 3)

    @Test mutating func `One flight of an exclusion group runs at a time, the most urgent next, in any lane`() {
        #expect(harness.begin("a", .visible, exclusionGroup: "x") == ["run a"])
        #expect(harness.begin("b", .background, exclusionGroup: "x") == ["b is excluded"])
        #expect(harness.begin("c", .visible, in: .cpu, exclusionGroup: "x") == ["c is excluded"])
        #expect(harness.begin("free", .background) == ["run free"])

        #expect(harness.finish("a") == ["settle a succeeded", "run c"])
        #expect(harness.finish("c") == ["settle c succeeded", "run b"])
        #expect(harness.finish("b") == ["settle b succeeded"])
        #expect(harness.schedule.exclusionGroups.isEmpty)
    }

    @Test mutating func `A flight that waits for its exclusion group holds no slot`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("a", .visible, in: .cpu, exclusionGroup: "x")

        #expect(harness.begin("b", .visible, exclusionGroup: "x") == ["b is excluded"])
        #expect(harness.begin("c", .background) == ["run c"])
        #expect(harness.finish("a") == ["settle a succeeded"])
        #expect(harness.finish("c") == ["settle c succeeded", "run b"])
    }

    @Test mutating func `A failure and a cancellation let the next flight of the group run`() {
        for name in ["a", "b", "c"] { harness.begin(name, .visible, exclusionGroup: "x") }

        #expect(harness.finish("a", .failed) == ["settle a failed", "run b"])
        #expect(harness.cancel("b") == ["settle b cancelled", "interrupt b"])
        #expect(harness.finish("b", .cancelled) == ["run c"])
    }

    @Test mutating func `A flight that is cancelled while it waits for its group is skipped`() {
        for name in ["a", "b", "c"] { harness.begin(name, .visible, exclusionGroup: "x") }

        #expect(harness.cancel("b") == ["settle b cancelled"])
        #expect(harness.finish("a") == ["settle a succeeded", "run c"])
    }

    @Test mutating func `A flight in a paused lane does not block its group in other lanes`() {
        harness.begin("holder", .visible, exclusionGroup: "x")
        harness.begin("paused", .visible, exclusionGroup: "x")
        harness.begin("other", .background, in: .cpu, exclusionGroup: "x")
        harness.handle(.pause(.network))

        #expect(harness.finish("holder") == ["settle holder succeeded", "run other"])
        #expect(harness.handle(.resume(.network)) == ["paused is excluded"])
        #expect(harness.finish("other") == ["settle other succeeded", "run paused"])
        #expect(harness.finish("paused") == ["settle paused succeeded"])
        #expect(harness.schedule.exclusionGroups.isEmpty)
    }

    @Test mutating func `A flight in a full lane does not block its group in other lanes`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("holder", .visible, in: .cpu, exclusionGroup: "x")
        harness.begin("waits for its lane too", .visible, exclusionGroup: "x")
        harness.begin("fills the lane", .visible)
        harness.begin("other", .background, in: .cpu, exclusionGroup: "x")

        #expect(harness.finish("holder") == ["settle holder succeeded", "run other"])
    }

    @Test mutating func `A flight that is paused while it waits lets the next flight of the group run`() {
        for name in ["a", "b", "c"] { harness.begin(name, .visible, exclusionGroup: "x") }

        #expect(harness.setPaused("b") == ["b is paused"])
        #expect(harness.finish("a") == ["settle a succeeded", "run c"])
        #expect(harness.setPaused("b", false) == ["b is excluded"])
        #expect(harness.finish("c") == ["settle c succeeded", "run b"])
    }

    @Test mutating func `A flight whose priority is raised while it waits runs first`() {
        for name in ["a", "b", "c"] { harness.begin(name, .background, exclusionGroup: "x") }

        harness.prioritize("c", .visible)

        #expect(harness.finish("a") == ["settle a succeeded", "run c"])
    }

    @Test mutating func `A flight that awaits a retry or continues with another lets the next flight of the group run`() {
        for name in ["a", "b", "c"] { harness.begin(name, .visible, exclusionGroup: "x") }
        harness.begin("next", nil, after: ["c"])

        #expect(harness.retry("a", at: .seconds(1)) == ["a is awaitingRetry", "wake at 1.0 seconds", "run b"])
        harness.begin("item", .background, in: .cpu)
        #expect(harness.finish("b", continuingWith: "item") == ["run c"])
        #expect(harness.handle(.fireTimers(.seconds(1))) == ["a is excluded"])
        #expect(harness.finish("c") == ["settle c succeeded", "run a", "run next"])
    }

    @Test mutating func `An excluded flight runs before a less urgent one that waits for the slot of the flight that releases the group`() {
        harness = ScheduleHarness(width: 2)
        harness.begin("holder", .visible, exclusionGroup: "x")
        harness.begin("excluded", .visible, exclusionGroup: "x")
        harness.begin("fills the lane", .visible)
        harness.begin("ready", .background, exclusionGroup: "x")

        #expect(harness.retry("holder", at: .seconds(1)) == ["holder is awaitingRetry", "wake at 1.0 seconds", "run excluded"])
        harness.begin("item", .background, in: .cpu)
        #expect(harness.finish("excluded", continuingWith: "item") == ["run ready"])
    }

    @Test mutating func `A flight that waits for the slot of the flight that releases the group runs before a less urgent excluded one`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("holder", .visible, exclusionGroup: "x")
        harness.begin("excluded", .background, in: .cpu, exclusionGroup: "x")
        harness.begin("ready", .visible, exclusionGroup: "x")
        harness.begin("ready too", .visible, exclusionGroup: "x")

        #expect(harness.retry("holder", at: .seconds(1)).last == "run ready")
        #expect(harness.finish("ready") == ["settle ready succeeded", "run ready too"])
        #expect(harness.finish("ready too") == ["settle ready too succeeded", "run excluded"])
    }

    @Test mutating func `An excluded flight whose priority is raised runs in a reserved slot while no flight of its group runs`() {
        harness = scheduleWithoutFreeSlot(for: .background)

        #expect(harness.prioritize("third", .visible) == ["run third"])
        #expect(harness.finish("third") == ["settle third succeeded"])
        #expect(harness.finish("busy") == ["settle busy succeeded", "run first"])
    }

    @Test mutating func `An excluded flight runs in a reserved slot after the priority of the ready ones of its group was lowered`() {
        harness = scheduleWithoutFreeSlot(for: .visible)

        for name in ["first", "second"] { #expect(harness.prioritize(name, .background) == []) }

        #expect(harness.finish("busy") == ["settle busy succeeded", "run third"])
    }

    /// Returns a schedule with three flights of a group of which none runs: two are ready and wait for a slot, the third is excluded.
    private func scheduleWithoutFreeSlot(for priority: OperationPriority) -> ScheduleHarness {
        var harness = ScheduleHarness(width: 2, reserved: 1)
        harness.begin("holder", .visible, in: .cpu, exclusionGroup: "x")
        for name in ["first", "second", "third"] { harness.begin(name, priority, exclusionGroup: "x") }
        for name in ["busy", "busy too"] { harness.begin(name, priority) }
        harness.finish("holder")
        return harness
    }
}
