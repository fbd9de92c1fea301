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

    @Test(arguments: 1...20) mutating func `Whatever happens, every wish ends once and nothing is left`(seed: UInt64) {
        var monkey = ScheduleMonkey(seed: seed)

        monkey.run(steps: 400)

        #expect(monkey.violations == [], "seed \(seed)")
    }
}
