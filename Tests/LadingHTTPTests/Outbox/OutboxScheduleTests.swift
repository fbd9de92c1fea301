import Foundation
import HTTPTypes
import LadingTesting
import Testing

@testable import LadingHTTP

/// Which write is sent when, as tables of events and effects.
@Suite struct OutboxScheduleTests {
    @Test func `Writes for a host are sent one after the other, each when the end of the last is written down`() {
        var pad = OutboxPad()

        #expect(pad.add("1-a") == ["1-a waits"])
        #expect(pad.open() == ["1-a sending", "send 1-a"])
        #expect(pad.add("2-a") == ["2-a waits"])
        #expect(pad.sent("1-a") == ["settle 1-a sent"])
        #expect(pad.settled("1-a") == ["1-a sent", "2-a sending", "send 2-a"])
        #expect(pad.sent("2-a") == ["settle 2-a sent"])
        #expect(pad.settled("2-a") == ["2-a sent"])
        #expect(pad.schedule.count == 0)
    }

    @Test func `A host that fails holds up no other`() {
        var pad = OutboxPad()
        _ = pad.open()

        #expect(pad.add("1-a", host: "a.example") == ["1-a waits", "1-a sending", "send 1-a"])
        #expect(pad.add("2-a", host: "b.example") == ["2-a waits", "2-a sending", "send 2-a"])
        #expect(pad.failed("1-a", BackendError.away) == ["note 1-a 1", "1-a waits 1.0", "alarm 1.0"])
        #expect(pad.sent("2-a") == ["settle 2-a sent"])
        #expect(pad.add("3-a", host: "a.example") == ["3-a waits"])
        #expect(pad.pass(.seconds(1)) == ["1-a sending", "send 1-a"])
    }

    @Test func `Entries stand in the order of their positions, whenever they are told`() {
        var pad = OutboxPad()
        for (name, position) in [("3-a", 3), ("1-a", 1), ("2-a", 2)] as [(String, Int64)] {
            _ = pad.tell(.added(OutboxPad.entry(name, position: position), age: .zero))
        }

        #expect(pad.schedule.entries.map(\.id.rawValue) == ["1-a", "2-a", "3-a"])
        #expect(pad.open() == ["1-a sending", "send 1-a"])
    }

    // MARK: Superseding

    @Test func `On, off and on send one request, the last`() {
        var pad = OutboxPad()
        _ = pad.open(isOnline: false)

        #expect(pad.add("7-on", at: 1, supersedes: true) == ["7-on waits for the network"])
        #expect(pad.add("7-off", at: 2, supersedes: true) == ["7-off waits for the network", "settle 7-on superseded"])
        #expect(pad.add("7-again", at: 3, supersedes: true) == ["7-again waits for the network", "settle 7-off superseded"])
        #expect(pad.settled("7-on", .superseded) == ["7-on superseded"])
        #expect(pad.tell(.network(isOnline: true)) == ["7-again waits"])
        #expect(pad.settled("7-off", .superseded) == ["7-off superseded", "7-again sending", "send 7-again"])
    }

    @Test func `What is under way is not dropped`() {
        var pad = OutboxPad()
        _ = pad.open()
        _ = pad.add("7-on", at: 1, supersedes: true)

        #expect(pad.add("7-off", at: 2, supersedes: true) == ["7-off waits"])
        #expect(pad.sent("7-on") == ["settle 7-on sent"])
        #expect(pad.settled("7-on") == ["7-on sent", "7-off sending", "send 7-off"])
    }

    @Test func `Other subjects, and writes that say only a part, are not dropped`() {
        var pad = OutboxPad()
        _ = pad.open(isOnline: false)
        _ = pad.add("7-on", at: 1, supersedes: true)

        #expect(pad.add("8-on", at: 2, supersedes: true) == ["8-on waits for the network"])
        #expect(pad.add("7-note", at: 2) == ["7-note waits for the network"])
        #expect(pad.schedule.count == 3)
    }

    @Test func `What was decided earlier never wins, however late it comes`() {
        var pad = OutboxPad()
        _ = pad.open()
        _ = pad.add("7-on", at: 10, supersedes: true)

        #expect(pad.add("7-late", at: 5, supersedes: true) == ["7-late waits", "settle 7-late superseded"])
        _ = pad.sent("7-on")
        _ = pad.settled("7-on")
        _ = pad.settled("7-late", .superseded)
        #expect(pad.add("7-later", at: 6, supersedes: true) == ["7-later waits", "settle 7-later superseded"])
        _ = pad.settled("7-later", .superseded)
        #expect(pad.add("7-same", at: 10, supersedes: true) == ["7-same waits", "7-same sending", "send 7-same"])
    }

    @Test func `A clock that is ahead does not win over those that are right`() {
        var pad = OutboxPad()
        _ = pad.open(isOnline: false)
        _ = pad.add("7-on", at: 1_000_000, supersedes: true)

        #expect(pad.add("7-off", at: 5, supersedes: true) == ["7-off waits for the network", "settle 7-on superseded"])
    }

    @Test(arguments: [299.0, 310, 1_000_000]) func `A decision counts as made at one moment, before and after it was sent`(
        ahead: Double
    ) {
        var pad = OutboxPad()
        _ = pad.open()
        _ = pad.add("7-on", at: ahead, added: 0, supersedes: true)
        let entry = pad.schedule.entries.first
        _ = pad.sent("7-on")
        _ = pad.settled("7-on")

        #expect(pad.schedule.history.lastSent(about: "7")?.decided == entry?.decided)
        #expect(pad.add("7-off", at: ahead + 25, added: 25, supersedes: true) == ["7-off waits", "7-off sending", "send 7-off"])
    }

    @Test func `What was refused stands in nobody's way`() {
        var pad = OutboxPad()
        _ = pad.open()
        _ = pad.add("7-on", at: 10, supersedes: true)
        _ = pad.add("7-note")

        #expect(pad.failed("7-on", BackendError.answered(403)) == ["settle 7-on refused"])
        #expect(pad.settled("7-on", .refused(BackendError.answered(403))) == ["7-on refused", "7-note sending", "send 7-note"])
        #expect(pad.add("7-late", at: 5, supersedes: true) == ["7-late waits"])
    }

    @Test func `What will be said last of a subject is known before it is sent`() {
        var pad = OutboxPad()
        #expect(pad.schedule.latest(about: "7") == nil)
        _ = pad.add("7-on", at: 2, supersedes: true)
        _ = pad.add("8-on", at: 9, supersedes: true)
        _ = pad.add("7-late", at: 1, supersedes: true)
        #expect(pad.schedule.latest(about: "7")?.id.rawValue == "7-on")
        _ = pad.add("7-off", at: 3, supersedes: true)
        #expect(pad.schedule.latest(about: "7")?.id.rawValue == "7-off")

        _ = pad.open()
        _ = pad.sent("7-off")
        #expect(pad.schedule.latest(about: "7")?.id.rawValue == "7-off")
        _ = pad.settled("7-off")
        #expect(pad.schedule.latest(about: "7") == nil)
        #expect(pad.schedule.history.lastSent(about: "7")?.id.rawValue == "7-off")
    }

    @Test func `Those that a program left behind are dropped when the next one begins`() {
        var pad = OutboxPad()
        _ = pad.add("7-on", at: 1, supersedes: true)
        _ = pad.add("7-off", at: 2, supersedes: true)

        #expect(pad.open() == ["settle 7-on superseded"])
        #expect(pad.settled("7-on", .superseded) == ["7-on superseded", "7-off sending", "send 7-off"])
    }

    // MARK: Failing

    @Test func `Waits double up to the cap, are drawn by lot, and are never shorter than the least`() {
        var pad = OutboxPad(OutboxLimits(base: .seconds(10), cap: .seconds(60)))
        _ = pad.open()
        _ = pad.add("1-a")
        var waits: [String] = []
        for luck in [0.5, 0.5, 0.5, 0.5, 0.9, 0] {
            waits += pad.failed("1-a", BackendError.away, luck: luck).filter { $0.contains("waits") }
            _ = pad.pass(.seconds(60))
        }

        #expect(waits == ["5.0", "10.0", "20.0", "30.0", "54.0", "1.0"].map { "1-a waits \($0)" })
    }

    @Test(arguments: [
        (BackendError.answered(503, [.retryAfter: "20"]), "1-a waits 20.5"), (.answered(503, [.retryAfter: "999999"]), "1-a waits 3600.5"),
        (.open, "1-a waits 8.5"), (.answered(429, [.retryAfter: "2"]), "1-a waits 2.5"),
    ])
    func `Who asks to be left alone is, within bounds`(error: BackendError, wait: String) {
        var pad = OutboxPad()
        _ = pad.open()
        _ = pad.add("1-a")

        #expect(pad.failed("1-a", error).contains(wait))
    }

    @Test(arguments: [400, 402, 403, 404, 405, 406, 410, 411, 412, 413, 415, 422, 428, 431, 451, 302])
    func `A refusal ends the write`(status: Int) {
        #expect(OutboxVerdict(BackendError.answered(status)) == .refused)
    }

    @Test(arguments: [401, 407, 408, 409, 423, 425, 429, 500, 501, 502, 503, 504, 507])
    func `What may pass ends nothing`(status: Int) {
        #expect(OutboxVerdict(BackendError.answered(status)) != .refused)
    }

    @Test func `What the server answers and does not take lets others pass after a while, but not those about its subject`() {
        var pad = OutboxPad(OutboxLimits(base: .seconds(1), leastPause: .seconds(1), attemptsInOrder: 2))
        _ = pad.open()
        for name in ["7-on", "8-on", "7-note"] { _ = pad.add(name) }

        #expect(pad.failed("7-on", BackendError.answered(500), luck: 0) == ["note 7-on 1", "7-on waits 1.0", "alarm 1.0"])
        #expect(pad.pass(.seconds(1)) == ["7-on sending", "send 7-on"])
        #expect(
            pad.failed("7-on", BackendError.answered(500), luck: 0) == [
                "note 7-on 2", "7-on waits 1.0", "8-on sending", "send 8-on",
            ])
        _ = pad.sent("8-on")
        #expect(pad.settled("8-on") == ["8-on sent", "alarm 2.0"])
        #expect(pad.pass(.seconds(1)) == ["7-on sending", "send 7-on"])
        _ = pad.sent("7-on")
        #expect(pad.settled("7-on") == ["7-on sent", "7-note sending", "send 7-note"])
    }

    @Test func `While a host is away nothing passes, however often it is tried`() {
        var pad = OutboxPad(OutboxLimits(attemptsInOrder: 1))
        _ = pad.open()
        _ = pad.add("7-on")
        _ = pad.add("8-on")

        for _ in 0..<5 {
            #expect(!pad.failed("7-on", BackendError.away).contains("send 8-on"))
            #expect(pad.pass(.seconds(300)) == ["7-on sending", "send 7-on"])
        }
    }

    // MARK: Network, age and haste

    @Test func `Without a network nothing is sent, and everybody is told`() {
        var pad = OutboxPad()
        _ = pad.open()
        _ = pad.add("1-a")
        _ = pad.add("2-a")

        #expect(pad.tell(.network(isOnline: false)) == ["2-a waits for the network"])
        #expect(pad.failed("1-a", BackendError.away) == ["note 1-a 1", "1-a waits for the network"])
        #expect(pad.tell(.network(isOnline: false)) == [])
        #expect(pad.pass(.seconds(10)) == [])
        #expect(pad.tell(.network(isOnline: true)) == ["1-a waits 1.0", "2-a waits", "1-a sending", "send 1-a"])
    }

    @Test func `A network that is back, or somebody in a hurry, ends a pause, but not the least one`() {
        var pad = OutboxPad(OutboxLimits(base: .seconds(100), leastPause: .seconds(3)))
        _ = pad.open()
        _ = pad.add("1-a")
        #expect(pad.failed("1-a", BackendError.away) == ["note 1-a 1", "1-a waits 50.0", "alarm 50.0"])

        #expect(pad.tell(.hurry) == ["alarm 3.0"])
        #expect(pad.pass(.seconds(3)) == ["1-a sending", "send 1-a"])
        _ = pad.failed("1-a", BackendError.answered(503, [.retryAfter: "30"]))
        #expect(pad.tell(.hurry) == ["alarm 33.0"])
    }

    @Test func `What is too old is given up, also without a network`() {
        var pad = OutboxPad(OutboxLimits(age: .seconds(100)))
        _ = pad.open(isOnline: false)
        _ = pad.add("1-a", age: .seconds(90))
        _ = pad.add("2-a")

        #expect(pad.pass(.seconds(10)) == ["settle 1-a expired"])
        #expect(pad.settled("1-a", .expired) == ["1-a expired"])
        #expect(pad.pass(.seconds(89)) == [])
    }

    // MARK: Ending

    @Test func `What was under way when it closed is sent again when it opens`() {
        var pad = OutboxPad()
        _ = pad.open()
        _ = pad.add("1-a")

        #expect(pad.tell(.closed) == [])
        #expect(pad.add("2-a") == ["2-a waits"])
        #expect(pad.open() == ["1-a sending", "send 1-a"])
    }

    @Test func `Who breaks attempts off does not make it run hot`() {
        var pad = OutboxPad()
        _ = pad.open()
        _ = pad.add("1-a")

        #expect(pad.tell(.interrupted(pad.key("1-a"))) == ["alarm 1.0"])
        #expect(pad.pass(.seconds(1)) == ["1-a sending", "send 1-a"])
    }

    @Test func `Events that come too late change nothing`() {
        var pad = OutboxPad()
        _ = pad.open()
        _ = pad.add("1-a")
        _ = pad.sent("1-a")

        #expect(pad.sent("1-a") == [])
        #expect(pad.failed("1-a", BackendError.away) == [])
        #expect(pad.tell(.interrupted(pad.key("1-a"))) == [])
        _ = pad.settled("1-a")
        #expect(pad.add("1-a") == [])
        #expect(pad.schedule.count == 0)
    }

    /// In any order of events: one write a host is under way, those about one subject never overtake one another, and each ends once.
    @Test(arguments: Seeds.several(100)) func `Order is kept by lot`(seed: UInt64) {
        var monkey = OutboxMonkey(seed: seed)
        monkey.play(rounds: 300)

        #expect(monkey.complaints == [], "LADING_SEED=\(seed)")
        #expect(monkey.ended.count > 20, "LADING_SEED=\(seed)")
    }
}
