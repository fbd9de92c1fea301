import LadingTesting
import Testing

@testable import LadingOperations

/// Tests of the queue's decisions as tables: events in, effects out.
@Suite struct OperationScheduleTests {
    private var harness = ScheduleHarness(width: 2, reserved: 1)

    @Test mutating func `A lane runs as many as it has slots, most urgent first`() {
        harness.begin("first", .visible)
        harness.begin("second", .visible)

        harness.begin("background", .background)
        harness.begin("far", OperationPriority(.visible, distance: 9))
        harness.begin("near", OperationPriority(.visible, distance: 1))

        #expect(harness.finish("first") == ["settle first succeeded", "run near"])
        #expect(harness.finish("second") == ["settle second succeeded", "run far"])
    }

    @Test mutating func `Reserved slots of a lane run visible work only`() {
        #expect(harness.begin("prefetch", .prefetch) == ["run prefetch"])
        #expect(harness.begin("more prefetch", .prefetch) == [])
        #expect(harness.begin("visible", .visible) == ["run visible"])
    }

    @Test mutating func `Flights of equal priority run in order of submission`() {
        harness.begin("a", .visible)
        harness.begin("b", .visible)
        for name in ["c", "d", "e"] { harness.begin(name, .visible) }

        #expect(harness.finish("a").last == "run c")
        #expect(harness.finish("b").last == "run d")
        #expect(harness.finish("c").last == "run e")
    }

    @Test mutating func `Waiters with equal keys share a flight and its result`() {
        #expect(harness.begin("one", .visible, key: "k") == ["run one"])
        #expect(harness.begin("two", .visible, key: "k") == [])

        #expect(harness.finish("one", .failed) == ["settle one failed", "settle two failed"])
        #expect(harness.begin("three", .visible, key: "k") == ["run three"])
    }

    @Test mutating func `A flight is interrupted when its last waiter is cancelled, not before`() {
        harness.begin("one", .visible, key: "k")
        harness.begin("two", .visible, key: "k")

        #expect(harness.cancel("one") == ["settle one cancelled"])
        #expect(harness.cancel("two") == ["settle two cancelled", "interrupt one"])
    }

    @Test mutating func `An interrupted flight cannot be joined`() {
        harness.begin("one", .visible, key: "k")
        harness.cancel("one")

        #expect(harness.begin("two", .visible, key: "k") == ["run two"])
        #expect(harness.finish("one", .cancelled) == [])
    }

    @Test mutating func `A waiter with an epoch joins only flights that began after it`() {
        harness.begin("old", .visible, key: "k")
        let epoch = harness.schedule.epoch

        #expect(harness.begin("new", .visible, key: "k", noOlderThan: epoch) == ["run new"])
        #expect(harness.begin("also new", .visible, key: "k", noOlderThan: epoch) == [])
        #expect(harness.finish("old") == ["settle old succeeded"])
        #expect(harness.finish("new") == ["settle new succeeded", "settle also new succeeded"])
    }

    @Test mutating func `A flight has the highest priority of its waiters, and loses it with that waiter`() {
        harness.begin("a", .visible)
        harness.begin("b", .visible)
        harness.begin("shared", .prefetch, key: "k")
        harness.begin("middle", OperationPriority(.visible, distance: 5))

        harness.begin("joining", OperationPriority(.visible, distance: 1), key: "k")
        harness.cancel("joining")
        #expect(harness.finish("a").last == "run middle")

        harness.begin("joining again", .visible, key: "k")
        #expect(harness.finish("b").last == "run shared")
    }

    @Test mutating func `Priority propagates to transitive dependencies`() {
        harness.begin("busy", .visible)
        harness.begin("busy too", .visible)
        harness.begin("download", nil)
        harness.begin("other", OperationPriority(.visible, distance: 3))
        harness.begin("parse", nil, after: ["download"])

        harness.begin("join", .visible, after: ["parse"])

        #expect(harness.finish("busy").last == "run download")
    }

    @Test(
        arguments: [
            [.visible, .prefetch, .background], [.visible, .background, .prefetch], [.prefetch, .visible, .background],
            [.prefetch, .background, .visible], [.background, .visible, .prefetch], [.background, .prefetch, .visible],
        ] as [[OperationPriority]])
    mutating func `A dependency has the highest priority of its remaining dependents`(priorities: [OperationPriority]) throws {
        harness.begin("download", nil)
        let download = try #require(harness.flights["download"])
        for priority in priorities { harness.begin("\(priority.urgency)", priority, after: ["download"]) }

        for priority in priorities.sorted(by: >) {
            #expect(harness.schedule.share(of: download).priority == priority)
            harness.cancel("\(priority.urgency)")
        }
    }

    @Test mutating func `A diamond of dependencies runs in order, each operation once`() {
        #expect(harness.begin("top", nil) == ["run top"])
        harness.begin("left", nil, after: ["top"])
        harness.begin("right", nil, after: ["top"])
        harness.begin("bottom", .visible, after: ["left", "right"])

        #expect(harness.finish("top") == ["settle top succeeded", "run left", "run right"])
        #expect(harness.finish("left") == ["settle left succeeded"])
        #expect(harness.finish("right") == ["settle right succeeded", "run bottom"])
        #expect(harness.finish("bottom") == ["settle bottom succeeded"])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `Transitive dependents of a failed operation fail without running`() {
        harness.begin("download", nil)
        harness.begin("parse", nil, after: ["download"])
        harness.begin("join", .visible, after: ["parse"])

        #expect(
            harness.finish("download", .failed) == [
                "settle download failed", "settle parse dependencyFailed", "settle join dependencyFailed",
            ])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `An operation that runs on failure begins after a failure and after a cancellation`() {
        harness.begin("a", .visible)
        harness.begin("b", .visible)
        #expect(harness.begin("report", .visible, after: ["a", "b"], runsOnFailure: true) == [])

        #expect(harness.finish("a", .failed) == ["settle a failed"])
        #expect(harness.cancel("b") == ["settle b cancelled", "interrupt b", "run report"])
    }

    @Test mutating func `A failure that reaches an operation on two paths completes it once`() {
        harness.begin("x", nil)
        harness.begin("g", nil, after: ["x"])
        harness.begin("h", nil, after: ["g"])
        harness.begin("f", .background, after: ["h"])
        harness.begin("d", .visible, after: ["x", "f"])

        let effects = harness.finish("x", .failed)

        #expect(effects.count == 5)
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `Cancelling an operation cancels dependencies that no other operation needs`() {
        harness.begin("download", nil)
        harness.begin("parse", .visible, after: ["download"])

        #expect(harness.cancel("parse") == ["settle parse cancelled", "settle download cancelled", "interrupt download"])
    }

    @Test mutating func `Cancelling an operation does not cancel dependencies that other operations need`() {
        harness.begin("download", nil)
        harness.begin("one", .visible, after: ["download"])
        harness.begin("two", .visible, after: ["download"])

        #expect(harness.cancel("one") == ["settle one cancelled"])
        #expect(harness.finish("download") == ["settle download succeeded", "run two"])
    }

    @Test mutating func `Cancelling a dependency cancels its dependents`() {
        harness.begin("download", .visible)
        harness.begin("parse", .visible, after: ["download"])

        let effects = harness.cancel("download")

        #expect(Set(effects) == ["settle download cancelled", "settle parse cancelled", "interrupt download"])
    }

    @Test mutating func `A flight that continues with another operation releases its slot and gets the result of that operation`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("join", .visible)

        harness.begin("item", nil)
        #expect(harness.finish("join", continuingWith: "item") == ["run item"])
        #expect(harness.finish("item") == ["settle item succeeded", "settle join succeeded"])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `Cancelling a flight cancels the operation that it continues with`() {
        harness.begin("join", .visible)
        harness.begin("item", nil)
        harness.finish("join", continuingWith: "item")

        #expect(harness.cancel("join") == ["settle join cancelled", "settle item cancelled", "interrupt item"])
    }

    @Test mutating func `Consumers take turns, regardless of arrival order and amount of work`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("busy", .visible)
        for index in 1...4 { harness.begin("a\(index)", .visible, for: 1) }
        for index in 1...2 { harness.begin("b\(index)", OperationPriority(.visible, distance: 50), for: 2) }

        let order = harness.runAll(from: "busy")

        #expect(order == ["a1", "b1", "a2", "b2", "a3", "a4"])
    }

    @Test mutating func `A consumer that submits one flight at a time gets every second turn, not more`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("busy", .visible)
        for index in 1...4 { harness.begin("a\(index)", .visible, for: 1) }
        var order: [String] = []
        var running = "busy"

        for round in 1...6 {
            harness.begin("b\(round)", .visible, for: 2)
            running = harness.runNext(after: running) ?? ""
            order.append(running)
        }

        #expect(order.filter { $0.hasPrefix("a") }.count == 3)
    }

    @Test mutating func `Consumers take turns within an urgency: visible work of one precedes prefetches of another`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("busy", .visible)
        for index in 1...2 { harness.begin("prefetch\(index)", .prefetch, for: 1) }
        for index in 1...2 { harness.begin("visible\(index)", .visible, for: 2) }

        #expect(harness.runAll(from: "busy") == ["visible1", "visible2", "prefetch1", "prefetch2"])
    }

    @Test mutating func `A shared flight counts for the consumer with the highest priority`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("busy", .visible)
        harness.begin("shared", .background, for: 1, key: "k")
        harness.begin("other", .prefetch, for: 3)

        harness.begin("shared too", .visible, for: 2, key: "k")

        #expect(harness.runAll(from: "busy") == ["shared", "other"])
    }

    @Test mutating func `A shared flight counts for the consumer that came first, of those with equal priority`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("busy", .visible)
        for index in 1...2 { harness.begin("b\(index)", .visible, for: 2) }
        harness.begin("shared", .visible, for: 1, key: "k")

        harness.begin("shared too", .visible, for: 2, key: "k")

        #expect(harness.runAll(from: "busy") == ["b1", "shared", "b2"])
    }

    @Test mutating func `A dependency counts for its own consumer unless a dependent has a higher priority`() throws {
        harness.begin("download", .prefetch, for: 1)
        let waiter = harness.waiter(of: "download")
        let download = try #require(waiter)

        harness.begin("equal", .prefetch, for: 2, after: ["download"])
        #expect(harness.schedule.waiters[download].share.consumer.number == 1)
        harness.begin("higher", .visible, for: 3, after: ["download"])
        #expect(harness.schedule.waiters[download].share.consumer.number == 3)
    }

    @Test mutating func `An operation that is submitted again with equal priority counts for its new consumer`() {
        harness = ScheduleHarness(width: 1)
        harness.begin("busy", .visible)
        for index in 1...3 { harness.begin("a\(index)", .visible, for: 1) }
        for index in 1...2 { harness.begin("b\(index)", .visible, for: 2) }

        harness.prioritize("a3", .visible, for: 3)

        #expect(harness.runAll(from: "busy") == ["a1", "b1", "a3", "a2", "b2"])
    }

    @Test mutating func `A paused lane starts nothing and finishes running flights; resumed, it continues in order`() {
        harness.begin("running", .visible)
        harness.handle(.pause(.network))

        #expect(harness.begin("later", .background) == [])
        #expect(harness.begin("sooner", .visible) == [])
        #expect(harness.begin("parse", .visible, in: .cpu) == ["run parse"])
        #expect(harness.finish("running") == ["settle running succeeded"])
        #expect(harness.handle(.resume(.all)) == [])
        #expect(harness.handle(.resume(.network)) == ["run sooner"])
        #expect(harness.finish("sooner") == ["settle sooner succeeded", "run later"])
    }

    @Test mutating func `A nearly complete flight continues without waiters, and can still be joined`() {
        harness.begin("one", .visible, key: "k")
        harness.markFinishing("one")

        #expect(harness.cancel("one") == ["settle one cancelled"])
        #expect(harness.begin("two", .visible, key: "k") == [])
        #expect(harness.finish("one") == ["settle two succeeded"])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `Cancelling everything also interrupts nearly complete flights`() {
        harness.begin("wanted", .visible)
        harness.begin("unwanted", .visible)
        harness.markFinishing("wanted")
        harness.markFinishing("unwanted")
        harness.cancel("unwanted")

        #expect(Set(harness.handle(.cancelAll)) == ["interrupt unwanted", "settle wanted cancelled", "interrupt wanted"])
    }

    @Test mutating func `A flight that would wait for itself fails, and the operation that it continued with is cancelled`() {
        harness.begin("join", .visible)
        harness.begin("other", nil, after: ["join"])

        let effects = harness.finish("join", continuingWith: "other")

        #expect(
            effects == ["settle join failed", "settle other cancelled"]
                || effects == ["settle join failed", "settle other dependencyFailed"])
        #expect(harness.schedule.isIdle)
    }

    @Test mutating func `A flight that would wait for itself through a long chain fails`() {
        harness.begin("root", .visible)
        var last = "root"
        for index in 1...1_000 {
            harness.begin("step\(index)", nil, after: [last])
            last = "step\(index)"
        }

        #expect(harness.finish("root", continuingWith: last).first == "settle root failed")
        #expect(harness.schedule.isIdle)
    }

    @Test(arguments: TestSeeds.seeds(count: 20)) mutating func `Every waiter completes once after random events, and nothing is left`(
        seed: UInt64
    ) {
        var fuzzer = ScheduleFuzzer(seed: seed)

        fuzzer.run(steps: 500)

        #expect(fuzzer.violations == [], "LADING_SEED=\(seed)")
    }

    @Test(arguments: TestSeeds.seeds(count: 5)) mutating func `Replaying a record makes the same decisions`(seed: UInt64) {
        var fuzzer = ScheduleFuzzer(seed: seed)

        fuzzer.run(steps: 500)

        fuzzer.record.replay { step in #expect(step.effects == step.entry.effects, "LADING_SEED=\(seed)") }
        #expect(fuzzer.record.entries.count > 300)
    }
}
