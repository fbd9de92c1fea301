import LadingTesting
import Testing

@testable import LadingOperations

/// The decisions of the queue as tables: events in, effects out.
@Suite struct OperationScheduleTests {
    private var pad = SchedulePad(width: 2, reserved: 1)

    @Test mutating func `A lane runs as many as it has slots, most urgent first`() {
        pad.begin("first", .visible)
        pad.begin("second", .visible)

        pad.begin("background", .background)
        pad.begin("far", OperationPriority(.visible, distance: 9))
        pad.begin("near", OperationPriority(.visible, distance: 1))

        #expect(pad.finish("first") == ["settle first succeeded", "run near"])
        #expect(pad.finish("second") == ["settle second succeeded", "run far"])
    }

    @Test mutating func `The last slots of a lane are kept for visible work`() {
        #expect(pad.begin("prefetch", .prefetch) == ["run prefetch"])
        #expect(pad.begin("more prefetch", .prefetch) == [])
        #expect(pad.begin("visible", .visible) == ["run visible"])
    }

    @Test mutating func `Equals arrive in order`() {
        pad.begin("a", .visible)
        pad.begin("b", .visible)
        for name in ["c", "d", "e"] { pad.begin(name, .visible) }

        #expect(pad.finish("a").last == "run c")
        #expect(pad.finish("b").last == "run d")
        #expect(pad.finish("c").last == "run e")
    }

    @Test mutating func `Wishes with one key share a flight, and all get its end`() {
        #expect(pad.begin("one", .visible, key: "k") == ["run one"])
        #expect(pad.begin("two", .visible, key: "k") == [])

        #expect(pad.finish("one", .failed) == ["settle one failed", "settle two failed"])
        #expect(pad.begin("three", .visible, key: "k") == ["run three"])
    }

    @Test mutating func `A flight is interrupted when the last of its wishes leaves, not before`() {
        pad.begin("one", .visible, key: "k")
        pad.begin("two", .visible, key: "k")

        #expect(pad.withdraw("one") == ["settle one cancelled"])
        #expect(pad.withdraw("two") == ["settle two cancelled", "interrupt one"])
    }

    @Test mutating func `Nobody joins a flight that was interrupted`() {
        pad.begin("one", .visible, key: "k")
        pad.withdraw("one")

        #expect(pad.begin("two", .visible, key: "k") == ["run two"])
        #expect(pad.finish("one", .cancelled) == [])
    }

    @Test mutating func `A wish that must be new joins only flights that began after its moment`() {
        pad.begin("old", .visible, key: "k")
        let mark = pad.schedule.mark

        #expect(pad.begin("new", .visible, key: "k", notBefore: mark) == ["run new"])
        #expect(pad.begin("also new", .visible, key: "k", notBefore: mark) == [])
        #expect(pad.finish("old") == ["settle old succeeded"])
        #expect(pad.finish("new") == ["settle new succeeded", "settle also new succeeded"])
    }

    @Test mutating func `A flight is as urgent as the most urgent of its wishes, and less so when that one leaves`() {
        pad.begin("a", .visible)
        pad.begin("b", .visible)
        pad.begin("shared", .prefetch, key: "k")
        pad.begin("middle", OperationPriority(.visible, distance: 5))

        pad.begin("joining", OperationPriority(.visible, distance: 1), key: "k")
        pad.withdraw("joining")
        #expect(pad.finish("a").last == "run middle")

        pad.begin("joining again", .visible, key: "k")
        #expect(pad.finish("b").last == "run shared")
    }

    @Test mutating func `Urgency flows on to dependencies, however far`() {
        pad.begin("busy", .visible)
        pad.begin("busy too", .visible)
        pad.begin("download", nil)
        pad.begin("other", OperationPriority(.visible, distance: 3))
        pad.begin("parse", nil, after: ["download"])

        pad.begin("join", .visible, after: ["parse"])

        #expect(pad.finish("busy").last == "run download")
    }

    @Test mutating func `A diamond runs in order and each part once`() {
        #expect(pad.begin("top", nil) == ["run top"])
        pad.begin("left", nil, after: ["top"])
        pad.begin("right", nil, after: ["top"])
        pad.begin("bottom", .visible, after: ["left", "right"])

        #expect(pad.finish("top") == ["settle top succeeded", "run left", "run right"])
        #expect(pad.finish("left") == ["settle left succeeded"])
        #expect(pad.finish("right") == ["settle right succeeded", "run bottom"])
        #expect(pad.finish("bottom") == ["settle bottom succeeded"])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `Dependents of a failed operation fail unrun, all the way up`() {
        pad.begin("download", nil)
        pad.begin("parse", nil, after: ["download"])
        pad.begin("join", .visible, after: ["parse"])

        #expect(
            pad.finish("download", .failed) == [
                "settle download failed", "settle parse dependencyFailed", "settle join dependencyFailed",
            ])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `One that runs anyway begins after a failure and after a cancellation`() {
        pad.begin("a", .visible)
        pad.begin("b", .visible)
        #expect(pad.begin("report", .visible, after: ["a", "b"], runsAnyway: true) == [])

        #expect(pad.finish("a", .failed) == ["settle a failed"])
        #expect(pad.withdraw("b") == ["settle b cancelled", "interrupt b", "run report"])
    }

    @Test mutating func `A failure that reaches an operation by two ways ends it once`() {
        pad.begin("x", nil)
        pad.begin("g", nil, after: ["x"])
        pad.begin("h", nil, after: ["g"])
        pad.begin("f", .background, after: ["h"])
        pad.begin("d", .visible, after: ["x", "f"])

        let effects = pad.finish("x", .failed)

        #expect(effects.count == 5)
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `Cancelling an operation lets go of what only it depended on`() {
        pad.begin("download", nil)
        pad.begin("parse", .visible, after: ["download"])

        #expect(pad.withdraw("parse") == ["settle parse cancelled", "settle download cancelled", "interrupt download"])
    }

    @Test mutating func `Cancelling an operation leaves alone what others depend on`() {
        pad.begin("download", nil)
        pad.begin("one", .visible, after: ["download"])
        pad.begin("two", .visible, after: ["download"])

        #expect(pad.withdraw("one") == ["settle one cancelled"])
        #expect(pad.finish("download") == ["settle download succeeded", "run two"])
    }

    @Test mutating func `Cancelling a dependency cancels its dependents`() {
        pad.begin("download", .visible)
        pad.begin("parse", .visible, after: ["download"])

        let effects = pad.withdraw("download")

        #expect(Set(effects) == ["settle download cancelled", "settle parse cancelled", "interrupt download"])
    }

    @Test mutating func `A flight that continues gives its slot back and ends as the other does`() {
        pad = SchedulePad(width: 1)
        pad.begin("join", .visible)

        pad.begin("item", nil)
        #expect(pad.finish("join", continuingWith: "item") == ["run item"])
        #expect(pad.finish("item") == ["settle item succeeded", "settle join succeeded"])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `Cancelling a flight that continues cancels what it continues with`() {
        pad.begin("join", .visible)
        pad.begin("item", nil)
        pad.finish("join", continuingWith: "item")

        #expect(pad.withdraw("join") == ["settle join cancelled", "settle item cancelled", "interrupt item"])
    }

    @Test mutating func `Viewers take turns, whoever came first and however much they want`() {
        pad = SchedulePad(width: 1)
        pad.begin("busy", .visible)
        for index in 1...4 { pad.begin("a\(index)", .visible, for: 1) }
        for index in 1...2 { pad.begin("b\(index)", OperationPriority(.visible, distance: 50), for: 2) }

        let order = pad.runAll(from: "busy")

        #expect(order == ["a1", "b1", "a2", "b2", "a3", "a4"])
    }

    @Test mutating func `A viewer that comes back for one flight at a time gets every second turn, not more`() {
        pad = SchedulePad(width: 1)
        pad.begin("busy", .visible)
        for index in 1...4 { pad.begin("a\(index)", .visible, for: 1) }
        var order: [String] = []
        var running = "busy"

        for round in 1...6 {
            pad.begin("b\(round)", .visible, for: 2)
            running = pad.runNext(after: running) ?? ""
            order.append(running)
        }

        #expect(order.filter { $0.hasPrefix("a") }.count == 3)
    }

    @Test mutating func `Turns are taken inside an urgency: visible work of one goes before prefetch of another`() {
        pad = SchedulePad(width: 1)
        pad.begin("busy", .visible)
        for index in 1...2 { pad.begin("prefetch\(index)", .prefetch, for: 1) }
        for index in 1...2 { pad.begin("visible\(index)", .visible, for: 2) }

        #expect(pad.runAll(from: "busy") == ["visible1", "visible2", "prefetch1", "prefetch2"])
    }

    @Test mutating func `What another viewer needs more urgently counts as that viewer's`() {
        pad = SchedulePad(width: 1)
        pad.begin("busy", .visible)
        pad.begin("shared", .background, for: 1, key: "k")
        pad.begin("other", .prefetch, for: 3)

        pad.begin("shared too", .visible, for: 2, key: "k")

        #expect(pad.runAll(from: "busy") == ["shared", "other"])
    }

    @Test mutating func `A paused lane starts nothing and finishes what runs; resumed, it goes on in order`() {
        pad.begin("running", .visible)
        pad.handle(.pause(.network))

        #expect(pad.begin("later", .background) == [])
        #expect(pad.begin("sooner", .visible) == [])
        #expect(pad.begin("parse", .visible, in: .cpu) == ["run parse"])
        #expect(pad.finish("running") == ["settle running succeeded"])
        #expect(pad.handle(.resume(.all)) == [])
        #expect(pad.handle(.resume(.network)) == ["run sooner"])
        #expect(pad.finish("sooner") == ["settle sooner succeeded", "run later"])
    }

    @Test mutating func `A flight that is nearly done goes on when nobody wants it, and can still be joined`() {
        pad.begin("one", .visible, key: "k")
        pad.nearEnd("one")

        #expect(pad.withdraw("one") == ["settle one cancelled"])
        #expect(pad.begin("two", .visible, key: "k") == [])
        #expect(pad.finish("one") == ["settle two succeeded"])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `Cancelling everything stops what is nearly done as well`() {
        pad.begin("wanted", .visible)
        pad.begin("unwanted", .visible)
        pad.nearEnd("wanted")
        pad.nearEnd("unwanted")
        pad.withdraw("unwanted")

        #expect(Set(pad.handle(.withdrawAll)) == ["interrupt unwanted", "settle wanted cancelled", "interrupt wanted"])
    }

    @Test mutating func `A flight that would wait for itself fails, and what it went on with is let go`() {
        pad.begin("join", .visible)
        pad.begin("other", nil, after: ["join"])

        let effects = pad.finish("join", continuingWith: "other")

        #expect(
            effects == ["settle join failed", "settle other cancelled"]
                || effects == ["settle join failed", "settle other dependencyFailed"])
        #expect(pad.schedule.isIdle)
    }

    @Test mutating func `A flight that waits for itself by a long way fails as well`() {
        pad.begin("root", .visible)
        var last = "root"
        for index in 1...1_000 {
            pad.begin("step\(index)", nil, after: [last])
            last = "step\(index)"
        }

        #expect(pad.finish("root", continuingWith: last).first == "settle root failed")
        #expect(pad.schedule.isIdle)
    }

    @Test(arguments: Seeds.several(20)) mutating func `Whatever happens, every wish ends once and nothing is left`(seed: UInt64) {
        var monkey = ScheduleMonkey(seed: seed)

        monkey.run(steps: 500)

        #expect(monkey.violations == [], "LADING_SEED=\(seed)")
    }

    @Test(arguments: Seeds.several(5)) mutating func `A record can be replayed and gives the same decisions`(seed: UInt64) {
        var monkey = ScheduleMonkey(seed: seed)

        monkey.run(steps: 500)

        monkey.record.replay { step in #expect(step.effects == step.entry.effects, "LADING_SEED=\(seed)") }
        #expect(monkey.record.entries.count > 300)
    }

    @Test mutating func `Those who came and went leave nothing behind with what they waited for`() throws {
        pad.begin("long", .visible)
        pad.begin("stays", .visible, after: ["long"])
        let long = pad.wish(of: "long")
        var most = 0
        for number in 1...1_000 {
            // Each comes before the last one leaves, as in a scroll.
            pad.begin("row \(number)", .visible, after: ["long"])
            if number > 1 { pad.withdraw("row \(number - 1)") }
            most = max(most, pad.schedule.wishes[try #require(long)].dependents.count)
        }

        #expect(most <= 2 * 3 + 2 * OperationSchedule.goneDependentLimit + 1)
        #expect(pad.finish("long") == ["settle long succeeded", "run stays", "run row 1000"])
    }
}
