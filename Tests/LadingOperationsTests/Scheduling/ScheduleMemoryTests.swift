import Testing

@testable import LadingOperations

/// Tests that obsolete state does not accumulate in a schedule.
@Suite struct ScheduleMemoryTests {
    private var harness = ScheduleHarness(width: 1)

    @Test mutating func `Cancelled flights do not accumulate in the queue of a lane`() throws {
        harness.begin("busy", .visible)
        harness.begin("remaining", .background, isQueuedDirectly: false)
        for number in 1...100 {
            harness.begin("\(number)", .visible, isQueuedDirectly: false)
            harness.cancel("\(number)")
        }

        let lane = try #require(harness.schedule.lanes.ids.first)
        #expect(harness.schedule.lanes[lane].ready[.visible].liveCount == 0)
        #expect(!harness.schedule.lanes[lane].ready.shouldCompact)
        #expect(harness.finish("busy") == ["settle busy succeeded", "run remaining"])
    }

    @Test mutating func `Cancelled flights are removed from a queue without the remaining ones`() {
        harness.begin("busy", .visible)
        for number in 1...70 { harness.begin("\(number)", .visible, isQueuedDirectly: false) }

        for number in 1...69 { harness.cancel("\(number)") }

        #expect(harness.finish("busy") == ["settle busy succeeded", "run 70"])
    }

    @Test mutating func `Cancelled dependents are removed from the waiter that they depended on once they are the majority`() throws {
        harness.begin("long", .visible)
        harness.begin("remaining", .visible, after: ["long"])
        let waiter = harness.waiter(of: "long")
        let long = try #require(waiter)

        for round in 1...2 {
            for number in 1...19 { harness.begin("row \(round).\(number)", .visible, after: ["long"]) }
            var counts: [Int] = []
            for number in 1...19 {
                harness.cancel("row \(round).\(number)")
                counts.append(harness.schedule.waiters[long].dependents.count)
            }

            // Half of 20 and 8 more may be left over.
            #expect(counts == Array(repeating: 20, count: 18) + [1])
        }
        #expect(harness.finish("long") == ["settle long succeeded", "run remaining"])
    }

    @Test mutating func `Timers of completed waiters do not accumulate`() {
        var counts: [Int] = []
        for number in 1...70 {
            harness.begin("\(number)", .visible, deadline: .seconds(3_600))
            harness.finish("\(number)")
            counts.append(harness.schedule.timers.count)
        }

        // Besides 64 timers, each waiter and each flight may have two.
        #expect(counts == Array(1...69) + [1])
    }

    @Test mutating func `Removing obsolete timers retains those of pending retries`() {
        for name in ["retried", "cancelled"] {
            harness.begin(name, .visible)
            harness.retry(name, at: .seconds(100))
        }
        harness.cancel("cancelled")

        for number in 1...80 {
            harness.begin("\(number)", .visible, deadline: .seconds(3_600))
            harness.finish("\(number)")
        }

        #expect(harness.schedule.timers.count < 20)
        #expect(harness.handle(.fireTimers(.seconds(100))).last == "run retried")
    }

    @Test mutating func `Idle lanes are removed before another is opened, when there are twice as many as are retained`() {
        let limit = 2 * LaneConfiguration.idleLaneLimit
        harness.begin("busy", .visible, in: Lane("net:1"))
        for number in 2...limit { harness.handle(.open(Lane("net:\(number)"))) }
        #expect(harness.schedule.lanes.count == limit)

        harness.handle(.open(Lane("net:another")))

        #expect(harness.schedule.laneStatuses.map(\.lane) == [Lane("net:1"), Lane("net:another")])
        #expect(harness.begin("a", .visible, in: Lane("net:2")) == ["run a"])
    }

    @Test mutating func `No pending steps are left after an event`() {
        for name in ["a", "b"] { harness.begin(name, .visible, exclusionGroup: "x") }
        harness.finish("a")

        #expect(harness.schedule.steps.isEmpty && harness.schedule.releasedExclusionGroups.isEmpty && harness.schedule.effects.isEmpty)
    }
}
