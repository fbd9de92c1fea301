import Foundation
import HTTPTypes
import LadingTesting
import Testing
@testable import LadingHTTP
@testable import LadingOutbox

/// Writes that later writes about their subject replace.
extension OutboxScheduleTests {
    @Test func `Only the last of several superseding writes is sent`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open(isConnected: false)

        #expect(schedule.add("7-on", at: 1, supersedes: true) == ["7-on waits for the network"])
        #expect(schedule.add("7-off", at: 2, supersedes: true) == ["7-off waits for the network", "settle 7-on superseded"])
        #expect(schedule.add("7-again", at: 3, supersedes: true) == ["7-again waits for the network", "settle 7-off superseded"])
        #expect(schedule.completed("7-on", .superseded) == ["7-on superseded"])
        #expect(schedule.handle(.network(isConnected: true)) == ["7-again waits"])
        #expect(schedule.completed("7-off", .superseded) == ["7-off superseded", "7-again sending", "send 7-again"])
    }

    @Test func `A write in flight is not dropped`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()
        _ = schedule.add("7-on", at: 1, supersedes: true)

        #expect(schedule.add("7-off", at: 2, supersedes: true) == ["7-off waits"])
        #expect(schedule.sent("7-on") == ["settle 7-on sent"])
        #expect(schedule.completed("7-on") == ["7-on sent", "7-off sending", "send 7-off"])
    }

    @Test func `Writes about other subjects and partial writes are not dropped`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open(isConnected: false)
        _ = schedule.add("7-on", at: 1, supersedes: true)

        #expect(schedule.add("8-on", at: 2, supersedes: true) == ["8-on waits for the network"])
        #expect(schedule.add("7-note", at: 2) == ["7-note waits for the network"])
        #expect(schedule.schedule.count == 3)
    }

    @Test func `A write with an earlier action date never supersedes a later one`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()
        _ = schedule.add("7-on", at: 10, supersedes: true)

        #expect(schedule.add("7-late", at: 5, supersedes: true) == ["7-late waits", "settle 7-late superseded"])
        _ = schedule.sent("7-on")
        _ = schedule.completed("7-on")
        _ = schedule.completed("7-late", .superseded)
        #expect(schedule.add("7-later", at: 6, supersedes: true) == ["7-later waits", "settle 7-later superseded"])
        _ = schedule.completed("7-later", .superseded)
        #expect(schedule.add("7-same", at: 10, supersedes: true) == ["7-same waits", "7-same sending", "send 7-same"])
    }

    @Test func `A write from a clock that runs ahead does not supersede later writes`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open(isConnected: false)
        _ = schedule.add("7-on", at: 1_000_000, supersedes: true)

        #expect(schedule.add("7-off", at: 5, supersedes: true) == ["7-off waits for the network", "settle 7-on superseded"])
    }

    @Test(arguments: [299.0, 310, 1_000_000]) func `The effective date of a write is the same before and after it is sent`(
        ahead: Double
    ) {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()
        _ = schedule.add("7-on", at: ahead, added: 0, supersedes: true)
        let entry = schedule.schedule.entries.first
        _ = schedule.sent("7-on")
        _ = schedule.completed("7-on")

        #expect(schedule.schedule.history.lastSent(about: "7")?.effectiveDate == entry?.effectiveDate)
        #expect(schedule.add("7-off", at: ahead + 25, added: 25, supersedes: true) == ["7-off waits", "7-off sending", "send 7-off"])
    }

    @Test func `A refused write does not block later ones`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()
        _ = schedule.add("7-on", at: 10, supersedes: true)
        _ = schedule.add("7-note")

        #expect(schedule.failed("7-on", BackendError.httpStatus(403)) == ["settle 7-on refused"])
        #expect(schedule.completed("7-on", .refused(BackendError.httpStatus(403))) == ["7-on refused", "7-note sending", "send 7-note"])
        #expect(schedule.add("7-late", at: 5, supersedes: true) == ["7-late waits"])
    }

    @Test func `The latest pending write of a subject is known before it is sent`() {
        var schedule = OutboxScheduleHarness()
        #expect(schedule.schedule.latestPending(about: "7") == nil)
        _ = schedule.add("7-on", at: 2, supersedes: true)
        _ = schedule.add("8-on", at: 9, supersedes: true)
        _ = schedule.add("7-late", at: 1, supersedes: true)
        #expect(schedule.schedule.latestPending(about: "7")?.id.rawValue == "7-on")
        _ = schedule.add("7-off", at: 3, supersedes: true)
        #expect(schedule.schedule.latestPending(about: "7")?.id.rawValue == "7-off")

        _ = schedule.open()
        _ = schedule.sent("7-off")
        #expect(schedule.schedule.latestPending(about: "7")?.id.rawValue == "7-off")
        _ = schedule.completed("7-off")
        #expect(schedule.schedule.latestPending(about: "7") == nil)
        #expect(schedule.schedule.history.lastSent(about: "7")?.id.rawValue == "7-off")
    }

    @Test(arguments: [false, true]) func `A write that is superseded while it is sent is not sent again`(isInterrupted: Bool) {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()
        _ = schedule.add("7-on", at: 1, supersedes: true)
        _ = schedule.add("7-off", at: 2, supersedes: true)

        let effects =
            isInterrupted
            ? schedule.handle(.interrupted(schedule.key("7-on"))) : schedule.failed("7-on", BackendError.httpStatus(503))

        #expect(effects.contains("settle 7-on superseded") && !effects.contains { $0.hasPrefix("7-on waits") })
    }

    @Test func `Superseded entries of an earlier run are dropped at the start`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.add("7-on", at: 1, supersedes: true)
        _ = schedule.add("7-off", at: 2, supersedes: true)

        #expect(schedule.open() == ["settle 7-on superseded"])
        #expect(schedule.completed("7-on", .superseded) == ["7-on superseded", "7-off sending", "send 7-off"])
    }

    @Test func `A dropped write supersedes no other`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(age: .seconds(100)))
        _ = schedule.open(isConnected: false)
        _ = schedule.add("7-on", at: 2, supersedes: true, age: .seconds(90))

        #expect(schedule.advance(by: .seconds(10)) == ["settle 7-on expired"])
        #expect(schedule.add("7-off", at: 1, supersedes: true) == ["7-off waits for the network"])
    }
}
