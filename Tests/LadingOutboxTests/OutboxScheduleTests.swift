import Foundation
import HTTPTypes
import LadingTesting
import Testing
@testable import LadingHTTP
@testable import LadingOutbox

/// The order of writes, as tables of events and effects.
@Suite struct OutboxScheduleTests {
    @Test func `Writes to one host are sent in order, each after the outcome of the previous one is saved`() {
        var schedule = OutboxScheduleHarness()

        #expect(schedule.add("1-a") == ["1-a waits"])
        #expect(schedule.open() == ["1-a sending", "send 1-a"])
        #expect(schedule.add("2-a") == ["2-a waits"])
        #expect(schedule.sent("1-a") == ["settle 1-a sent"])
        #expect(schedule.completed("1-a") == ["1-a sent", "2-a sending", "send 2-a"])
        #expect(schedule.sent("2-a") == ["settle 2-a sent"])
        #expect(schedule.completed("2-a") == ["2-a sent"])
        #expect(schedule.schedule.count == 0)
    }

    @Test func `A failing host does not block other hosts`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()

        #expect(schedule.add("1-a", host: "a.example") == ["1-a waits", "1-a sending", "send 1-a"])
        #expect(schedule.add("2-a", host: "b.example") == ["2-a waits", "2-a sending", "send 2-a"])
        #expect(schedule.failed("1-a", BackendError.unreachableHost) == ["save 1-a 1", "1-a waits 1.0", "timer 1.0"])
        #expect(schedule.sent("2-a") == ["settle 2-a sent"])
        #expect(schedule.add("3-a", host: "a.example") == ["3-a waits"])
        #expect(schedule.advance(by: .seconds(1)) == ["1-a sending", "send 1-a"])
    }

    @Test func `A write about a subject waits for an earlier one to another host`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()

        #expect(schedule.add("7-on", host: "a.example") == ["7-on waits", "7-on sending", "send 7-on"])
        #expect(schedule.failed("7-on", BackendError.unreachableHost) == ["save 7-on 1", "7-on waits 1.0", "timer 1.0"])
        #expect(schedule.add("7-off", host: "b.example") == ["7-off waits"])
        #expect(schedule.add("8-on", host: "b.example") == ["8-on waits", "8-on sending", "send 8-on"])
        #expect(schedule.advance(by: .seconds(1)) == ["7-on sending", "send 7-on"])
        #expect(schedule.sent("7-on") == ["settle 7-on sent"])
        #expect(schedule.completed("7-on") == ["7-on sent", "7-off sending", "send 7-off"])
    }

    @Test func `A write supersedes an earlier one to another host`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open(isConnected: false)
        _ = schedule.add("7-on", at: 1, supersedes: true, host: "a.example")

        #expect(
            schedule.add("7-off", at: 2, supersedes: true, host: "b.example") == [
                "7-off waits for the network", "settle 7-on superseded",
            ])
        _ = schedule.handle(.network(isConnected: true))
        #expect(schedule.completed("7-on", .superseded) == ["7-on superseded", "7-off sending", "send 7-off"])
        #expect(schedule.add("8-on", host: "b.example") == ["8-on waits", "8-on sending", "send 8-on"])
    }

    @Test func `Entries are ordered by position, whatever the order in which they are added`() {
        var schedule = OutboxScheduleHarness()
        for (name, position) in [("3-a", 3), ("1-a", 1), ("2-a", 2)] as [(String, Int64)] {
            _ = schedule.handle(.added(OutboxScheduleHarness.entry(name, position: position), age: .zero))
        }

        #expect(schedule.schedule.entries.map(\.id.rawValue) == ["1-a", "2-a", "3-a"])
        #expect(schedule.open() == ["1-a sending", "send 1-a"])
    }

    // MARK: Failures

    @Test func `Delays double up to the maximum, are jittered, and never fall below the minimum`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(base: .seconds(10), cap: .seconds(60)))
        _ = schedule.open()
        _ = schedule.add("1-a")
        var waits: [String] = []
        for jitter in [0.5, 0.5, 0.5, 0.5, 0.9, 0] {
            waits += schedule.failed("1-a", BackendError.unreachableHost, jitter: jitter).filter { $0.contains("waits") }
            _ = schedule.advance(by: .seconds(60))
        }

        #expect(waits == ["5.0", "10.0", "20.0", "30.0", "54.0", "1.0"].map { "1-a waits \($0)" })
    }

    @Test func `An accepted write ends the doubling of the delays`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(base: .seconds(10)))
        _ = schedule.open()
        _ = schedule.add("1-a")
        _ = schedule.add("2-a")

        #expect(schedule.failed("1-a", BackendError.unreachableHost) == ["save 1-a 1", "1-a waits 5.0", "timer 5.0"])
        #expect(schedule.advance(by: .seconds(5)) == ["1-a sending", "send 1-a"])
        _ = schedule.sent("1-a")
        #expect(schedule.completed("1-a") == ["1-a sent", "2-a sending", "send 2-a"])
        #expect(schedule.failed("2-a", BackendError.unreachableHost) == ["save 2-a 1", "2-a waits 5.0", "timer 10.0"])
    }

    @Test func `An answer that delays only its write ends the doubling of the delays of others`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(base: .seconds(10), maximumBlockingAttempts: 1))
        _ = schedule.open()
        _ = schedule.add("7-on")
        _ = schedule.add("8-on")

        #expect(schedule.failed("7-on", BackendError.unreachableHost) == ["save 7-on 1", "7-on waits 5.0", "timer 5.0"])
        #expect(schedule.advance(by: .seconds(5)) == ["7-on sending", "send 7-on"])
        #expect(schedule.failed("7-on", BackendError.httpStatus(500)) == ["save 7-on 2", "7-on waits 10.0", "8-on sending", "send 8-on"])
        #expect(schedule.failed("8-on", BackendError.unreachableHost).contains("timer 10.0"))
    }

    @Test(arguments: [
        (BackendError.httpStatus(503, [.retryAfter: "20"]), "1-a waits 20.5"),
        (.httpStatus(503, [.retryAfter: "999999"]), "1-a waits 3600.5"),
        (.openCircuit, "1-a waits 8.5"), (.httpStatus(429, [.retryAfter: "2"]), "1-a waits 2.5"),
    ])
    func `A Retry-After delay is respected within bounds`(error: BackendError, wait: String) {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()
        _ = schedule.add("1-a")

        #expect(schedule.failed("1-a", error).contains(wait))
    }

    @Test func `A write that the server repeatedly rejects lets writes about other subjects pass after some attempts`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(base: .seconds(1), minimumDelay: .seconds(1), maximumBlockingAttempts: 2))
        _ = schedule.open()
        for name in ["7-on", "8-on", "7-note"] { _ = schedule.add(name) }

        #expect(schedule.failed("7-on", BackendError.httpStatus(500), jitter: 0) == ["save 7-on 1", "7-on waits 1.0", "timer 1.0"])
        #expect(schedule.advance(by: .seconds(1)) == ["7-on sending", "send 7-on"])
        #expect(
            schedule.failed("7-on", BackendError.httpStatus(500), jitter: 0) == [
                "save 7-on 2", "7-on waits 1.0", "8-on sending", "send 8-on",
            ])
        _ = schedule.sent("8-on")
        #expect(schedule.completed("8-on") == ["8-on sent", "timer 2.0"])
        #expect(schedule.advance(by: .seconds(1)) == ["7-on sending", "send 7-on"])
        _ = schedule.sent("7-on")
        #expect(schedule.completed("7-on") == ["7-on sent", "7-note sending", "send 7-note"])
    }

    @Test func `An ended backoff of a write that waits for an earlier one schedules no timer`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(base: .seconds(10), maximumBlockingAttempts: 1))
        _ = schedule.open()
        _ = schedule.handle(.added(OutboxScheduleHarness.entry("7-late", position: 2), age: .zero))
        _ = schedule.failed("7-late", BackendError.httpStatus(500), jitter: 0)
        _ = schedule.handle(.added(OutboxScheduleHarness.entry("7-early", position: 1), age: .zero))

        #expect(schedule.failed("7-early", BackendError.httpStatus(500)) == ["save 7-early 1", "7-early waits 5.0", "timer 1.0"])
        #expect(schedule.advance(by: .seconds(1)) == ["timer 5.0"])
        #expect(schedule.advance(by: .seconds(4)) == ["7-early sending", "send 7-early"])
    }

    @Test func `An unreachable host blocks all its writes, however many attempts are made`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(maximumBlockingAttempts: 1))
        _ = schedule.open()
        _ = schedule.add("7-on")
        _ = schedule.add("8-on")

        for _ in 0..<5 {
            #expect(!schedule.failed("7-on", BackendError.unreachableHost).contains("send 8-on"))
            #expect(schedule.advance(by: .seconds(300)) == ["7-on sending", "send 7-on"])
        }
    }

    // MARK: Network, age and requested retries

    @Test func `Without a network nothing is sent, and waiting entries are reported`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()
        _ = schedule.add("1-a")
        _ = schedule.add("2-a")

        #expect(schedule.handle(.network(isConnected: false)) == ["2-a waits for the network"])
        #expect(schedule.failed("1-a", BackendError.unreachableHost) == ["save 1-a 1", "1-a waits for the network"])
        #expect(schedule.handle(.network(isConnected: false)) == [])
        #expect(schedule.advance(by: .seconds(10)) == [])
        #expect(schedule.handle(.network(isConnected: true)) == ["1-a waits 1.0", "2-a waits", "1-a sending", "send 1-a"])
    }

    @Test func `A restored network shortens a backoff to the minimum delay`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(base: .seconds(100), minimumDelay: .seconds(3)))
        _ = schedule.open()
        _ = schedule.add("1-a")
        _ = schedule.handle(.network(isConnected: false))

        #expect(schedule.failed("1-a", BackendError.unreachableHost) == ["save 1-a 1", "1-a waits for the network"])
        #expect(schedule.handle(.network(isConnected: true)) == ["1-a waits 3.0", "timer 3.0"])
    }

    @Test func `A requested retry shortens a backoff, but not below the minimum delay`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(base: .seconds(100), minimumDelay: .seconds(3)))
        _ = schedule.open()
        _ = schedule.add("1-a")
        #expect(schedule.failed("1-a", BackendError.unreachableHost) == ["save 1-a 1", "1-a waits 50.0", "timer 50.0"])

        #expect(schedule.handle(.retryRequested) == ["timer 3.0"])
        #expect(schedule.advance(by: .seconds(3)) == ["1-a sending", "send 1-a"])
        _ = schedule.failed("1-a", BackendError.httpStatus(503, [.retryAfter: "30"]))
        #expect(schedule.handle(.retryRequested) == ["timer 33.0"])
    }

    @Test func `An expired entry is dropped, also without a network`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(age: .seconds(100)))
        _ = schedule.open(isConnected: false)
        _ = schedule.add("1-a", age: .seconds(90))
        _ = schedule.add("2-a")

        #expect(schedule.advance(by: .seconds(10)) == ["settle 1-a expired"])
        #expect(schedule.completed("1-a", .expired) == ["1-a expired"])
        #expect(schedule.advance(by: .seconds(89)) == [])
    }

    // MARK: Interruptions

    @Test func `An entry in flight when the schedule closes is sent again when it opens`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()
        _ = schedule.add("1-a")

        #expect(schedule.handle(.closed) == [])
        #expect(schedule.add("2-a") == ["2-a waits"])
        #expect(schedule.open() == ["1-a sending", "send 1-a"])
    }

    @Test func `An interrupted attempt is repeated after the minimum delay`() {
        var schedule = OutboxScheduleHarness(OutboxLimits(base: .seconds(10), minimumDelay: .seconds(3)))
        _ = schedule.open()
        _ = schedule.add("1-a")

        #expect(schedule.handle(.interrupted(schedule.key("1-a"))) == ["timer 3.0"])
        #expect(schedule.advance(by: .seconds(3)) == ["1-a sending", "send 1-a"])
    }

    @Test func `A write supersedes none about a subject of other bytes`() {
        func entry(_ key: String, about subject: String, at position: Int64) -> OutboxEntry {
            OutboxEntry(
                id: OutboxScheduleHarness.key(key), subject: subject, request: OutboxRequest(url: URL(filePath: "/")),
                actionDate: Date(timeIntervalSinceReferenceDate: 0), added: Date(timeIntervalSinceReferenceDate: 0),
                supersedesPrevious: true,
                position: position)
        }
        let first = entry("a", about: "\u{E9}", at: 1)

        #expect(entry("b", about: "\u{E9}", at: 2).supersedes(first))
        #expect(!entry("b", about: "e\u{301}", at: 2).supersedes(first))
    }

    @Test func `Late events change nothing`() {
        var schedule = OutboxScheduleHarness()
        _ = schedule.open()
        _ = schedule.add("1-a")
        _ = schedule.sent("1-a")

        #expect(schedule.sent("1-a") == [])
        #expect(schedule.failed("1-a", BackendError.unreachableHost) == [])
        #expect(schedule.handle(.interrupted(schedule.key("1-a"))) == [])
        _ = schedule.completed("1-a")
        #expect(schedule.add("1-a") == [])
        #expect(schedule.schedule.count == 0)
    }

    /// Checks that one write per queue is in flight, that writes about one subject never overtake one another, and that each ends once.
    @Test(arguments: TestSeeds.seeds(count: 100)) func `Random sequences of events preserve the order of writes`(seed: UInt64) {
        var fuzzer = OutboxFuzzer(seed: seed)
        fuzzer.run(rounds: 300)

        #expect(fuzzer.violations == [], "LADING_SEED=\(seed)")
        #expect(fuzzer.ended.count > 20, "LADING_SEED=\(seed)")
    }
}
