import Foundation
import HTTPTypes
import LadingTesting
import Testing

@testable import LadingHTTP

/// The order of writes, as tables of events and effects.
@Suite struct OutboxScheduleTests {
    @Test func `Writes to one host are sent in order, each after the outcome of the previous one is saved`() {
        var pad = OutboxScheduleHarness()

        #expect(pad.add("1-a") == ["1-a waits"])
        #expect(pad.open() == ["1-a sending", "send 1-a"])
        #expect(pad.add("2-a") == ["2-a waits"])
        #expect(pad.sent("1-a") == ["settle 1-a sent"])
        #expect(pad.completed("1-a") == ["1-a sent", "2-a sending", "send 2-a"])
        #expect(pad.sent("2-a") == ["settle 2-a sent"])
        #expect(pad.completed("2-a") == ["2-a sent"])
        #expect(pad.schedule.count == 0)
    }

    @Test func `A failing host does not block other hosts`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open()

        #expect(pad.add("1-a", host: "a.example") == ["1-a waits", "1-a sending", "send 1-a"])
        #expect(pad.add("2-a", host: "b.example") == ["2-a waits", "2-a sending", "send 2-a"])
        #expect(pad.failed("1-a", BackendError.unreachableHost) == ["note 1-a 1", "1-a waits 1.0", "alarm 1.0"])
        #expect(pad.sent("2-a") == ["settle 2-a sent"])
        #expect(pad.add("3-a", host: "a.example") == ["3-a waits"])
        #expect(pad.advance(by: .seconds(1)) == ["1-a sending", "send 1-a"])
    }

    @Test func `Entries are ordered by position, whatever the order in which they are added`() {
        var pad = OutboxScheduleHarness()
        for (name, position) in [("3-a", 3), ("1-a", 1), ("2-a", 2)] as [(String, Int64)] {
            _ = pad.handle(.added(OutboxScheduleHarness.entry(name, position: position), age: .zero))
        }

        #expect(pad.schedule.entries.map(\.id.rawValue) == ["1-a", "2-a", "3-a"])
        #expect(pad.open() == ["1-a sending", "send 1-a"])
    }

    // MARK: Superseding

    @Test func `Only the last of several superseding writes is sent`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open(isOnline: false)

        #expect(pad.add("7-on", at: 1, supersedes: true) == ["7-on waits for the network"])
        #expect(pad.add("7-off", at: 2, supersedes: true) == ["7-off waits for the network", "settle 7-on superseded"])
        #expect(pad.add("7-again", at: 3, supersedes: true) == ["7-again waits for the network", "settle 7-off superseded"])
        #expect(pad.completed("7-on", .superseded) == ["7-on superseded"])
        #expect(pad.handle(.network(isOnline: true)) == ["7-again waits"])
        #expect(pad.completed("7-off", .superseded) == ["7-off superseded", "7-again sending", "send 7-again"])
    }

    @Test func `A write in flight is not dropped`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open()
        _ = pad.add("7-on", at: 1, supersedes: true)

        #expect(pad.add("7-off", at: 2, supersedes: true) == ["7-off waits"])
        #expect(pad.sent("7-on") == ["settle 7-on sent"])
        #expect(pad.completed("7-on") == ["7-on sent", "7-off sending", "send 7-off"])
    }

    @Test func `Writes about other subjects and partial writes are not dropped`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open(isOnline: false)
        _ = pad.add("7-on", at: 1, supersedes: true)

        #expect(pad.add("8-on", at: 2, supersedes: true) == ["8-on waits for the network"])
        #expect(pad.add("7-note", at: 2) == ["7-note waits for the network"])
        #expect(pad.schedule.count == 3)
    }

    @Test func `A write with an earlier action date never supersedes a later one`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open()
        _ = pad.add("7-on", at: 10, supersedes: true)

        #expect(pad.add("7-late", at: 5, supersedes: true) == ["7-late waits", "settle 7-late superseded"])
        _ = pad.sent("7-on")
        _ = pad.completed("7-on")
        _ = pad.completed("7-late", .superseded)
        #expect(pad.add("7-later", at: 6, supersedes: true) == ["7-later waits", "settle 7-later superseded"])
        _ = pad.completed("7-later", .superseded)
        #expect(pad.add("7-same", at: 10, supersedes: true) == ["7-same waits", "7-same sending", "send 7-same"])
    }

    @Test func `A write from a clock that runs ahead does not supersede later writes`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open(isOnline: false)
        _ = pad.add("7-on", at: 1_000_000, supersedes: true)

        #expect(pad.add("7-off", at: 5, supersedes: true) == ["7-off waits for the network", "settle 7-on superseded"])
    }

    @Test(arguments: [299.0, 310, 1_000_000]) func `The effective date of a write is the same before and after it is sent`(
        ahead: Double
    ) {
        var pad = OutboxScheduleHarness()
        _ = pad.open()
        _ = pad.add("7-on", at: ahead, added: 0, supersedes: true)
        let entry = pad.schedule.entries.first
        _ = pad.sent("7-on")
        _ = pad.completed("7-on")

        #expect(pad.schedule.history.lastSent(about: "7")?.effectiveDate == entry?.effectiveDate)
        #expect(pad.add("7-off", at: ahead + 25, added: 25, supersedes: true) == ["7-off waits", "7-off sending", "send 7-off"])
    }

    @Test func `A refused write does not block later ones`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open()
        _ = pad.add("7-on", at: 10, supersedes: true)
        _ = pad.add("7-note")

        #expect(pad.failed("7-on", BackendError.httpStatus(403)) == ["settle 7-on refused"])
        #expect(pad.completed("7-on", .refused(BackendError.httpStatus(403))) == ["7-on refused", "7-note sending", "send 7-note"])
        #expect(pad.add("7-late", at: 5, supersedes: true) == ["7-late waits"])
    }

    @Test func `The latest pending write of a subject is known before it is sent`() {
        var pad = OutboxScheduleHarness()
        #expect(pad.schedule.latestPending(about: "7") == nil)
        _ = pad.add("7-on", at: 2, supersedes: true)
        _ = pad.add("8-on", at: 9, supersedes: true)
        _ = pad.add("7-late", at: 1, supersedes: true)
        #expect(pad.schedule.latestPending(about: "7")?.id.rawValue == "7-on")
        _ = pad.add("7-off", at: 3, supersedes: true)
        #expect(pad.schedule.latestPending(about: "7")?.id.rawValue == "7-off")

        _ = pad.open()
        _ = pad.sent("7-off")
        #expect(pad.schedule.latestPending(about: "7")?.id.rawValue == "7-off")
        _ = pad.completed("7-off")
        #expect(pad.schedule.latestPending(about: "7") == nil)
        #expect(pad.schedule.history.lastSent(about: "7")?.id.rawValue == "7-off")
    }

    @Test func `Superseded entries of an earlier run are dropped at the start`() {
        var pad = OutboxScheduleHarness()
        _ = pad.add("7-on", at: 1, supersedes: true)
        _ = pad.add("7-off", at: 2, supersedes: true)

        #expect(pad.open() == ["settle 7-on superseded"])
        #expect(pad.completed("7-on", .superseded) == ["7-on superseded", "7-off sending", "send 7-off"])
    }

    // MARK: Failures

    @Test func `Delays double up to the maximum, are jittered, and never fall below the minimum`() {
        var pad = OutboxScheduleHarness(OutboxLimits(base: .seconds(10), cap: .seconds(60)))
        _ = pad.open()
        _ = pad.add("1-a")
        var waits: [String] = []
        for luck in [0.5, 0.5, 0.5, 0.5, 0.9, 0] {
            waits += pad.failed("1-a", BackendError.unreachableHost, jitter: luck).filter { $0.contains("waits") }
            _ = pad.advance(by: .seconds(60))
        }

        #expect(waits == ["5.0", "10.0", "20.0", "30.0", "54.0", "1.0"].map { "1-a waits \($0)" })
    }

    @Test(arguments: [
        (BackendError.httpStatus(503, [.retryAfter: "20"]), "1-a waits 20.5"),
        (.httpStatus(503, [.retryAfter: "999999"]), "1-a waits 3600.5"),
        (.openCircuit, "1-a waits 8.5"), (.httpStatus(429, [.retryAfter: "2"]), "1-a waits 2.5"),
    ])
    func `A Retry-After delay is respected within bounds`(error: BackendError, wait: String) {
        var pad = OutboxScheduleHarness()
        _ = pad.open()
        _ = pad.add("1-a")

        #expect(pad.failed("1-a", error).contains(wait))
    }

    @Test(arguments: [400, 402, 403, 404, 405, 406, 410, 411, 412, 413, 415, 422, 428, 431, 451, 302])
    func `A permanent failure status refuses the write`(status: Int) {
        #expect(OutboxFailureKind(BackendError.httpStatus(status)) == .permanent)
    }

    @Test(arguments: [401, 407, 408, 409, 423, 425, 429, 500, 501, 502, 503, 504, 507])
    func `A transient failure status does not refuse the write`(status: Int) {
        #expect(OutboxFailureKind(BackendError.httpStatus(status)) != .permanent)
    }

    @Test func `A write that the server keeps rejecting lets writes about other subjects pass after some attempts`() {
        var pad = OutboxScheduleHarness(OutboxLimits(base: .seconds(1), minimumDelay: .seconds(1), maximumBlockingAttempts: 2))
        _ = pad.open()
        for name in ["7-on", "8-on", "7-note"] { _ = pad.add(name) }

        #expect(pad.failed("7-on", BackendError.httpStatus(500), jitter: 0) == ["note 7-on 1", "7-on waits 1.0", "alarm 1.0"])
        #expect(pad.advance(by: .seconds(1)) == ["7-on sending", "send 7-on"])
        #expect(
            pad.failed("7-on", BackendError.httpStatus(500), jitter: 0) == [
                "note 7-on 2", "7-on waits 1.0", "8-on sending", "send 8-on",
            ])
        _ = pad.sent("8-on")
        #expect(pad.completed("8-on") == ["8-on sent", "alarm 2.0"])
        #expect(pad.advance(by: .seconds(1)) == ["7-on sending", "send 7-on"])
        _ = pad.sent("7-on")
        #expect(pad.completed("7-on") == ["7-on sent", "7-note sending", "send 7-note"])
    }

    @Test func `An unreachable host blocks all its writes, however many attempts are made`() {
        var pad = OutboxScheduleHarness(OutboxLimits(maximumBlockingAttempts: 1))
        _ = pad.open()
        _ = pad.add("7-on")
        _ = pad.add("8-on")

        for _ in 0..<5 {
            #expect(!pad.failed("7-on", BackendError.unreachableHost).contains("send 8-on"))
            #expect(pad.advance(by: .seconds(300)) == ["7-on sending", "send 7-on"])
        }
    }

    // MARK: Network, age and requested retries

    @Test func `Without a network nothing is sent, and waiting entries are reported`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open()
        _ = pad.add("1-a")
        _ = pad.add("2-a")

        #expect(pad.handle(.network(isOnline: false)) == ["2-a waits for the network"])
        #expect(pad.failed("1-a", BackendError.unreachableHost) == ["note 1-a 1", "1-a waits for the network"])
        #expect(pad.handle(.network(isOnline: false)) == [])
        #expect(pad.advance(by: .seconds(10)) == [])
        #expect(pad.handle(.network(isOnline: true)) == ["1-a waits 1.0", "2-a waits", "1-a sending", "send 1-a"])
    }

    @Test func `A restored network or a requested retry shortens a backoff, but not below the minimum delay`() {
        var pad = OutboxScheduleHarness(OutboxLimits(base: .seconds(100), minimumDelay: .seconds(3)))
        _ = pad.open()
        _ = pad.add("1-a")
        #expect(pad.failed("1-a", BackendError.unreachableHost) == ["note 1-a 1", "1-a waits 50.0", "alarm 50.0"])

        #expect(pad.handle(.retryRequested) == ["alarm 3.0"])
        #expect(pad.advance(by: .seconds(3)) == ["1-a sending", "send 1-a"])
        _ = pad.failed("1-a", BackendError.httpStatus(503, [.retryAfter: "30"]))
        #expect(pad.handle(.retryRequested) == ["alarm 33.0"])
    }

    @Test func `An expired entry is dropped, also without a network`() {
        var pad = OutboxScheduleHarness(OutboxLimits(age: .seconds(100)))
        _ = pad.open(isOnline: false)
        _ = pad.add("1-a", age: .seconds(90))
        _ = pad.add("2-a")

        #expect(pad.advance(by: .seconds(10)) == ["settle 1-a expired"])
        #expect(pad.completed("1-a", .expired) == ["1-a expired"])
        #expect(pad.advance(by: .seconds(89)) == [])
    }

    // MARK: Interruptions

    @Test func `An entry in flight when the schedule closes is sent again when it opens`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open()
        _ = pad.add("1-a")

        #expect(pad.handle(.closed) == [])
        #expect(pad.add("2-a") == ["2-a waits"])
        #expect(pad.open() == ["1-a sending", "send 1-a"])
    }

    @Test func `An interrupted attempt is repeated only after a delay`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open()
        _ = pad.add("1-a")

        #expect(pad.handle(.interrupted(pad.key("1-a"))) == ["alarm 1.0"])
        #expect(pad.advance(by: .seconds(1)) == ["1-a sending", "send 1-a"])
    }

    @Test func `Late events change nothing`() {
        var pad = OutboxScheduleHarness()
        _ = pad.open()
        _ = pad.add("1-a")
        _ = pad.sent("1-a")

        #expect(pad.sent("1-a") == [])
        #expect(pad.failed("1-a", BackendError.unreachableHost) == [])
        #expect(pad.handle(.interrupted(pad.key("1-a"))) == [])
        _ = pad.completed("1-a")
        #expect(pad.add("1-a") == [])
        #expect(pad.schedule.count == 0)
    }

    /// Checks that one write per host is in flight, that writes about one subject never overtake one another, and that each ends once.
    @Test(arguments: TestSeeds.seeds(count: 100)) func `Random sequences of events preserve the order of writes`(seed: UInt64) {
        var monkey = OutboxFuzzer(seed: seed)
        monkey.run(rounds: 300)

        #expect(monkey.violations == [], "LADING_SEED=\(seed)")
        #expect(monkey.ended.count > 20, "LADING_SEED=\(seed)")
    }
}
