import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

/// Tests of unreachable hosts, as a table of events and effects.
@Suite struct ReachabilityTests {
    private var harness = ReachabilityHarness()

    @Test mutating func `A host without a response is probed after a delay that doubles with each probe`() {
        #expect(harness.noResponse("a", at: 0) == ["a is away", "timer at 1.0"])
        #expect(!harness.reachability.isReachable("a.org"))

        #expect(harness.timerFired(at: 1) == ["probe a"])
        #expect(harness.probeEnded("a", at: 1) == ["timer at 3.0"])
        #expect(harness.timerFired(at: 3) == ["probe a"])
        #expect(harness.probeEnded("a", at: 4) == ["timer at 8.0"])
        for round in 0..<3 {
            #expect(harness.timerFired(at: 8 + 8 * Double(round)) == ["probe a"])
            #expect(harness.probeEnded("a", at: 8 + 8 * Double(round)) == ["timer at \(16 + 8 * Double(round))"])
        }
    }

    @Test mutating func `A healthy response ends the outage, before a probe and during one`() {
        harness.noResponse("a", at: 0)

        #expect(harness.responded("a", isHealthy: true, at: 0.5) == ["a is back"])
        #expect(harness.reachability.isReachable("a.org") && harness.reachability.hasNoFailedHosts)

        harness.noResponse("a", at: 100)
        harness.timerFired(at: 101)
        #expect(harness.responded("a", isHealthy: true, at: 102) == ["a is back"])
        #expect(harness.probeEnded("a", at: 102) == [])
    }

    @Test mutating func `A host that responds with failures is reachable, and is reported again once it recovers`() {
        harness.noResponse("a", at: 0)
        #expect(harness.responded("a", isHealthy: false, at: 0.5) == ["a is back"])
        #expect(harness.reachability.isReachable("a.org"))

        #expect(harness.timerFired(at: 1) == ["probe a"])
        #expect(harness.responded("a", isHealthy: false, at: 1) == [])
        #expect(harness.probeEnded("a", at: 1) == ["timer at 3.0"])
        #expect(harness.failureReported("a", hasResponse: true, at: 2) == [])
        #expect(harness.timerFired(at: 3) == ["probe a"])
        #expect(harness.responded("a", isHealthy: true, at: 3) == ["a is back"])
        #expect(harness.reachability.hasNoFailedHosts)
    }

    @Test mutating func `Further failures of an unreachable host have no effect, and other hosts are unaffected`() {
        harness.noResponse("a", at: 0)

        #expect(harness.noResponse("a", at: 0.5) == [])
        #expect(harness.failureReported("a", at: 0.5) == [])
        #expect(harness.noResponse("b", at: 0.5) == ["b is away"])
        #expect(harness.responded("b", isHealthy: true, at: 0.6) == ["b is back"])
        #expect(!harness.reachability.isReachable("a.org"))
    }

    @Test mutating func `The retry interval of a host that fails again soon doubles, and is reset later`() {
        harness.noResponse("a", at: 0)
        harness.responded("a", isHealthy: true, at: 1)

        #expect(harness.noResponse("a", at: 2) == ["a is away", "timer at 4.0"])
        harness.responded("a", isHealthy: true, at: 4)
        #expect(harness.noResponse("a", at: 5) == ["a is away", "timer at 9.0"])
        harness.responded("a", isHealthy: true, at: 9)
        #expect(harness.noResponse("a", at: 60) == ["a is away", "timer at 61.0"])
    }

    @Test mutating func `A failure less than the window after the last retry belongs to the same series`() {
        harness.noResponse("a", at: 0)
        harness.responded("a", isHealthy: true, at: 1)
        var (soon, later, reportedSoon, reportedLater) = (harness, harness, harness, harness)

        #expect(soon.noResponse("a", at: 30.5) == ["a is away", "timer at 32.5"])
        #expect(later.noResponse("a", at: 31) == ["a is away", "timer at 32.0"])
        #expect(reportedSoon.failureReported("a", hasResponse: true, at: 30.5) == ["timer at 31.5"])
        #expect(reportedLater.failureReported("a", hasResponse: true, at: 31) == [])
    }

    @Test mutating func `The recovery of one host does not reset the interval of another that fails, or was retried recently`() {
        harness.noResponse("a", at: 15)
        harness.responded("a", isHealthy: true, at: 16)
        harness.noResponse("b", at: 17)
        harness.responded("b", isHealthy: true, at: 18)
        #expect(harness.noResponse("a", at: 19) == ["a is away", "timer at 21.0"])

        harness.noResponse("b", at: 60)
        harness.responded("b", isHealthy: true, at: 61)
        harness.responded("a", isHealthy: true, at: 70)
        #expect(harness.noResponse("a", at: 71) == ["a is away", "timer at 75.0"])
    }

    @Test mutating func `A failure reported after the host has responded notifies once more`() {
        harness.noResponse("a", at: 0)
        harness.responded("a", isHealthy: true, at: 1)

        #expect(harness.failureReported("a", at: 1) == ["timer at 3.0"])
        #expect(harness.timerFired(at: 3) == ["a is back"])
        #expect(harness.failureReported("c", at: 3) == ["timer at 4.0"])
    }

    @Test mutating func `A host that responds soon after the last retry is reachable at once, and reported later`() {
        harness.noResponse("a", at: 0)
        harness.responded("a", isHealthy: true, at: 1)
        harness.noResponse("a", at: 1.5)

        #expect(harness.responded("a", isHealthy: true, at: 2) == ["timer at 3.0"])
        #expect(harness.reachability.isReachable("a.org"))

        #expect(harness.noResponse("a", at: 2.5) == ["a is away", "timer at 4.5"])
        #expect(harness.responded("a", isHealthy: true, at: 3.5) == ["a is back"])
    }

    @Test mutating func `Work that is interrupted at each retry is retried at doubling intervals`() {
        let rounds = [(0.5, 1.5), (2.0, 3.5), (4.0, 7.5), (8.0, 15.5), (16.0, 31.5), (32.0, 61.5), (62.0, 91.5), (92.0, 121.5)]
        for (failed, retried) in rounds {
            #expect(harness.failureReported("a", at: failed) == ["timer at \(retried)"])
            #expect(harness.timerFired(at: retried) == ["a is back"])
        }
    }

    @Test mutating func `Work that times out beside healthy responses of the same host is retried at doubling intervals`() {
        var retries: [Double] = []
        for second in 0..<120 {
            let start = Double(second)
            harness.noResponse("a", at: start)
            if harness.responded("a", isHealthy: true, at: start + 0.5).contains("a is back") { retries.append(start + 0.5) }
        }

        #expect(retries == [0.5, 2.5, 6.5, 14.5, 30.5, 60.5, 90.5])
    }

    @Test mutating func `A failure with a response is reported only after an outage, and a limited number of times`() {
        #expect(harness.failureReported("a", hasResponse: true, at: 0) == [])
        harness.noResponse("a", at: 1)
        harness.responded("a", isHealthy: true, at: 2)

        for (failed, retried) in [(2.5, 4.0), (4.5, 8.0), (8.5, 16.0), (16.5, 32.0)] {
            #expect(harness.failureReported("a", hasResponse: true, at: failed) == ["timer at \(retried)"])
            #expect(harness.timerFired(at: retried) == ["a is back"])
        }
        #expect(harness.failureReported("a", hasResponse: true, at: 32.5) == [])
    }

    @Test mutating func `A host with an open circuit is not probed, and only a healthy response ends the outage`() {
        #expect(harness.circuitOpen("a", retryAfter: 5, at: 0) == ["timer at 5.0"])
        #expect(harness.responded("a", isHealthy: false, at: 1) == [])
        #expect(harness.timerFired(at: 5) == ["probe a"])

        #expect(harness.probeEnded("a", retryAfter: 7, at: 5) == ["timer at 12.0"])
        #expect(harness.responded("a", isHealthy: true, at: 6) == ["a is back"])

        harness.circuitOpen("a", retryAfter: 5, at: 50)
        #expect(harness.noResponse("a", at: 51) == ["a is away"])
        #expect(harness.responded("a", isHealthy: false, at: 52) == ["a is back"])
    }

    @Test mutating func `No probe is sent without waiting consumers, and probeNow sends one at once`() {
        harness.noResponse("a", at: 0)

        #expect(harness.timerFired(at: 1, hasWaiters: false) == ["timer at 9.0"])
        #expect(harness.probeNow(at: 2) == ["timer at 2.0"])
        #expect(harness.timerFired(at: 2) == ["probe a"])
        #expect(harness.probeNow(at: 2.5) == [])
    }

    @Test mutating func `Probing now respects the minimum delay between probes, and does not advance a retry`() {
        harness.noResponse("a", at: 0)
        #expect(harness.probeNow(at: 0.5) == [])
        harness.timerFired(at: 1)
        #expect(harness.probeEnded("a", at: 1) == ["timer at 3.0"])
        #expect(harness.probeNow(at: 1.5) == ["timer at 2.0"])
        harness.timerFired(at: 2)
        harness.responded("a", isHealthy: true, at: 2)

        #expect(harness.failureReported("a", at: 2.5) == ["timer at 4.0"])
        #expect(harness.probeNow(at: 3) == [])
        harness.timerFired(at: 4)

        #expect(harness.circuitOpen("b", retryAfter: 5, at: 5) == ["timer at 10.0"])
        #expect(harness.probeNow(at: 7) == [])
    }

    @Test mutating func `A probe that was not sent before probing was stopped is sent when it starts again`() {
        harness.noResponse("a", at: 0)
        harness.noResponse("b", at: 2)
        #expect(harness.timerFired(at: 2) == ["probe a", "timer at 3.0"])

        #expect(harness.probingStarted(at: 2.5) == ["probe a", "timer at 3.0"])
        #expect(harness.probeEnded("a", at: 2.5) == [])
        #expect(harness.timerFired(at: 3) == ["probe b", "timer at 4.5"])
        #expect(harness.probingStarted(at: 3.5, hasWaiters: false) == ["timer at 4.5"])
    }

    @Test mutating func `The number of tracked hosts is limited, and further hosts count as reachable`() {
        for number in 0..<ReachabilityHarness.limits.hostLimit { harness.noResponse("h\(number)", at: 0) }

        #expect(harness.noResponse("more", at: 0) == [])
        #expect(harness.reachability.isReachable("more.org"))
    }

    @Test mutating func `A probe carries no credentials`() throws {
        var message = RequestMessage(method: .put, url: try #require(URL(string: "http://a.org/x?page=2")), body: [1])
        message.headers[.authorization] = "Bearer secret"

        var effects: [Reachability.Effect] = []
        harness.reachability.handle(.init(kind: .noResponse(message, jitter: 1), time: .zero), effects: &effects)
        harness.reachability.handle(.init(kind: .timerFired(hasWaiters: true), time: .seconds(1)), effects: &effects)

        guard case .probe(_, let probe)? = effects.first(where: { if case .probe = $0 { true } else { false } }) else {
            Issue.record("no probe")
            return
        }
        #expect(probe.method == .get && probe.url == message.url && probe.headers.isEmpty && probe.body.isEmpty)
    }
}

/// A harness with hosts named by letters, which returns effects as text.
private struct ReachabilityHarness {
    static let limits = ReachabilityLimits()

    var reachability = Reachability(limits)

    @discardableResult
    mutating func noResponse(_ host: String, at time: Double) -> [String] {
        handle(.noResponse(Self.message(host), jitter: 1), at: time)
    }

    @discardableResult
    mutating func circuitOpen(_ host: String, retryAfter pause: Double, at time: Double) -> [String] {
        handle(.circuitOpen(Self.message(host), retryAfter: .seconds(pause)), at: time)
    }

    mutating func failureReported(_ host: String, hasResponse: Bool = false, at time: Double) -> [String] {
        handle(.failureReported(host: "\(host).org", hasResponse: hasResponse, jitter: 1), at: time)
    }

    @discardableResult
    mutating func responded(_ host: String, isHealthy: Bool, at time: Double) -> [String] {
        handle(.responded(host: "\(host).org", isHealthy: isHealthy), at: time)
    }

    mutating func probeEnded(_ host: String, retryAfter: Double? = nil, at time: Double) -> [String] {
        handle(.probeEnded(host: "\(host).org", retryAfter: retryAfter.map { .seconds($0) }, jitter: 1), at: time)
    }

    @discardableResult
    mutating func timerFired(at time: Double, hasWaiters: Bool = true) -> [String] { handle(.timerFired(hasWaiters: hasWaiters), at: time) }

    mutating func probingStarted(at time: Double, hasWaiters: Bool = true) -> [String] {
        handle(.probingStarted(hasWaiters: hasWaiters), at: time)
    }

    mutating func probeNow(at time: Double) -> [String] { handle(.probeNow, at: time) }

    private static func message(_ host: String) -> RequestMessage { RequestMessage(url: URL(string: "http://\(host).org/rows")!) }

    private mutating func handle(_ kind: Reachability.Kind, at time: Double) -> [String] {
        var effects: [Reachability.Effect] = []
        reachability.handle(.init(kind: kind, time: .seconds(time)), effects: &effects)
        return effects.map { effect in
            switch effect {
            case .probe(let host, _): "probe \(host.prefix { $0 != "." })"
            case .scheduleTimer(let time): "timer at \(time / .seconds(1))"
            case .notify(let change): "\(change.host.prefix { $0 != "." }) is \(change.isReachable ? "back" : "away")"
            }
        }
    }
}
