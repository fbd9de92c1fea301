import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

/// When hosts count as out of reach, as a table of events and effects.
@Suite struct ReachabilityTests {
    private var pad = ReachabilityPad()

    @Test mutating func `A host that gives no answer is probed after a pause, and ever more seldom`() {
        #expect(pad.unanswered("a", at: 0) == ["a is away", "alarm at 1.0"])
        #expect(!pad.reachability.isReachable("a.org"))

        #expect(pad.due(at: 1) == ["probe a"])
        #expect(pad.probed("a", at: 1) == ["alarm at 3.0"])
        #expect(pad.due(at: 3) == ["probe a"])
        #expect(pad.probed("a", at: 4) == ["alarm at 8.0"])
        for round in 0..<3 {
            #expect(pad.due(at: 8 + 8 * Double(round)) == ["probe a"])
            #expect(pad.probed("a", at: 8 + 8 * Double(round)) == ["alarm at \(16 + 8 * Double(round))"])
        }
    }

    @Test mutating func `A good response ends it, before a probe and during one`() {
        pad.unanswered("a", at: 0)

        #expect(pad.answered("a", isGood: true, at: 0.5) == ["a is back"])
        #expect(pad.reachability.isReachable("a.org") && pad.reachability.isQuiet)

        pad.unanswered("a", at: 100)
        pad.due(at: 101)
        #expect(pad.answered("a", isGood: true, at: 102) == ["a is back"])
        #expect(pad.probed("a", at: 102) == [])
    }

    @Test mutating func `A host that answers with failures is reachable, and probed and reported once more when it works`() {
        pad.unanswered("a", at: 0)
        #expect(pad.answered("a", isGood: false, at: 0.5) == ["a is back"])
        #expect(pad.reachability.isReachable("a.org"))

        #expect(pad.due(at: 1) == ["probe a"])
        #expect(pad.answered("a", isGood: false, at: 1) == [])
        #expect(pad.probed("a", at: 1) == ["alarm at 3.0"])
        #expect(pad.missed("a", isAnswered: true, at: 2) == [])
        #expect(pad.due(at: 3) == ["probe a"])
        #expect(pad.answered("a", isGood: true, at: 3) == ["a is back"])
        #expect(pad.reachability.isQuiet)
    }

    @Test mutating func `More failures of a host that is away are no news, and other hosts are none of it`() {
        pad.unanswered("a", at: 0)

        #expect(pad.unanswered("a", at: 0.5) == [])
        #expect(pad.missed("a", at: 0.5) == [])
        #expect(pad.unanswered("b", at: 0.5) == ["b is away"])
        #expect(pad.answered("b", isGood: true, at: 0.6) == ["b is back"])
        #expect(!pad.reachability.isReachable("a.org"))
    }

    @Test mutating func `A host that fails again soon after it answered is retried ever more seldom, and later anew`() {
        pad.unanswered("a", at: 0)
        pad.answered("a", isGood: true, at: 1)

        #expect(pad.unanswered("a", at: 2) == ["a is away", "alarm at 4.0"])
        pad.answered("a", isGood: true, at: 4)
        #expect(pad.unanswered("a", at: 5) == ["a is away", "alarm at 9.0"])
        pad.answered("a", isGood: true, at: 9)
        #expect(pad.unanswered("a", at: 60) == ["a is away", "alarm at 61.0"])
    }

    @Test mutating func `A failure that becomes known after the host has answered is reported once more`() {
        pad.unanswered("a", at: 0)
        pad.answered("a", isGood: true, at: 1)

        #expect(pad.missed("a", at: 1) == ["alarm at 3.0"])
        #expect(pad.due(at: 3) == ["a is back"])
        #expect(pad.missed("c", at: 3) == ["alarm at 4.0"])
    }

    @Test mutating func `A host that answers soon after the last retry is reachable at once, and reported later`() {
        pad.unanswered("a", at: 0)
        pad.answered("a", isGood: true, at: 1)
        pad.unanswered("a", at: 1.5)

        #expect(pad.answered("a", isGood: true, at: 2) == ["alarm at 3.0"])
        #expect(pad.reachability.isReachable("a.org"))

        #expect(pad.unanswered("a", at: 2.5) == ["a is away", "alarm at 4.5"])
        #expect(pad.answered("a", isGood: true, at: 3.5) == ["a is back"])
    }

    @Test mutating func `Work that breaks off whenever it is retried is retried ever more seldom`() {
        let rounds = [(0.5, 1.5), (2.0, 3.5), (4.0, 7.5), (8.0, 15.5), (16.0, 31.5), (32.0, 61.5), (62.0, 91.5), (92.0, 121.5)]
        for (failed, retried) in rounds {
            #expect(pad.missed("a", at: failed) == ["alarm at \(retried)"])
            #expect(pad.due(at: retried) == ["a is back"])
        }
    }

    @Test mutating func `Work that times out beside healthy answers of the same host is retried ever more seldom`() {
        var retries: [Double] = []
        for second in 0..<120 {
            let start = Double(second)
            pad.unanswered("a", at: start)
            if pad.answered("a", isGood: true, at: start + 0.5).contains("a is back") { retries.append(start + 0.5) }
        }

        #expect(retries == [0.5, 2.5, 6.5, 14.5, 30.5, 60.5, 90.5])
    }

    @Test mutating func `A failure of the host that is a response is reported after an outage, a few times, and never without one`() {
        #expect(pad.missed("a", isAnswered: true, at: 0) == [])
        pad.unanswered("a", at: 1)
        pad.answered("a", isGood: true, at: 2)

        for (failed, retried) in [(2.5, 4.0), (4.5, 8.0), (8.5, 16.0), (16.5, 32.0)] {
            #expect(pad.missed("a", isAnswered: true, at: failed) == ["alarm at \(retried)"])
            #expect(pad.due(at: retried) == ["a is back"])
        }
        #expect(pad.missed("a", isAnswered: true, at: 32.5) == [])
    }

    @Test mutating func `While its circuit breaker is open a host is left alone, and only a good answer ends that`() {
        #expect(pad.circuitOpen("a", for: 5, at: 0) == ["alarm at 5.0"])
        #expect(pad.answered("a", isGood: false, at: 1) == [])
        #expect(pad.due(at: 5) == ["probe a"])

        #expect(pad.probed("a", retryAfter: 7, at: 5) == ["alarm at 12.0"])
        #expect(pad.answered("a", isGood: true, at: 6) == ["a is back"])

        pad.circuitOpen("a", for: 5, at: 50)
        #expect(pad.unanswered("a", at: 51) == ["a is away"])
        #expect(pad.answered("a", isGood: false, at: 52) == ["a is back"])
    }

    @Test mutating func `While nobody waits there is no probe, and in a hurry there is one at once`() {
        pad.unanswered("a", at: 0)

        #expect(pad.due(at: 1, isWanted: false) == ["alarm at 9.0"])
        #expect(pad.hurry(at: 2) == ["alarm at 2.0"])
        #expect(pad.due(at: 2) == ["probe a"])
        #expect(pad.hurry(at: 2.5) == [])
    }

    @Test mutating func `A hurry probes no sooner than a pause after the last probe, and brings no retry forward`() {
        pad.unanswered("a", at: 0)
        #expect(pad.hurry(at: 0.5) == [])
        pad.due(at: 1)
        #expect(pad.probed("a", at: 1) == ["alarm at 3.0"])
        #expect(pad.hurry(at: 1.5) == ["alarm at 2.0"])
        pad.due(at: 2)
        pad.answered("a", isGood: true, at: 2)

        #expect(pad.missed("a", at: 2.5) == ["alarm at 4.0"])
        #expect(pad.hurry(at: 3) == [])
        pad.due(at: 4)

        #expect(pad.circuitOpen("b", for: 5, at: 5) == ["alarm at 10.0"])
        #expect(pad.hurry(at: 7) == [])
    }

    @Test mutating func `The number of hosts is bounded; one too many counts as reachable`() {
        for number in 0..<ReachabilityPad.limits.hosts { pad.unanswered("h\(number)", at: 0) }

        #expect(pad.unanswered("more", at: 0) == [])
        #expect(pad.reachability.isReachable("more.org"))
    }

    @Test mutating func `A probe carries no credentials`() throws {
        var message = RequestMessage(method: .put, url: try #require(URL(string: "http://a.org/x?page=2")), body: [1])
        message.headers[.authorization] = "Bearer secret"

        var effects: [Reachability.Effect] = []
        pad.reachability.handle(.init(kind: .unanswered(message, luck: 1), time: .zero), effects: &effects)
        pad.reachability.handle(.init(kind: .due(isWanted: true), time: .seconds(1)), effects: &effects)

        guard case .probe(_, let probe)? = effects.first(where: { if case .probe = $0 { true } else { false } }) else {
            Issue.record("no probe")
            return
        }
        #expect(probe.method == .get && probe.url == message.url && probe.headers.isEmpty && probe.body.isEmpty)
    }
}

/// Hosts named by letters, whose effects read as text.
private struct ReachabilityPad {
    static let limits = ReachabilityLimits()

    var reachability = Reachability(limits)

    @discardableResult
    mutating func unanswered(_ host: String, at time: Double) -> [String] {
        handle(.unanswered(Self.message(host), luck: 1), at: time)
    }

    @discardableResult
    mutating func circuitOpen(_ host: String, for pause: Double, at time: Double) -> [String] {
        handle(.circuitOpen(Self.message(host), for: .seconds(pause)), at: time)
    }

    mutating func missed(_ host: String, isAnswered: Bool = false, at time: Double) -> [String] {
        handle(.missed(host: "\(host).org", isAnswered: isAnswered, luck: 1), at: time)
    }

    @discardableResult
    mutating func answered(_ host: String, isGood: Bool, at time: Double) -> [String] {
        handle(.answered(host: "\(host).org", isGood: isGood), at: time)
    }

    mutating func probed(_ host: String, retryAfter: Double? = nil, at time: Double) -> [String] {
        handle(.probed(host: "\(host).org", retryAfter: retryAfter.map { .seconds($0) }, luck: 1), at: time)
    }

    @discardableResult
    mutating func due(at time: Double, isWanted: Bool = true) -> [String] { handle(.due(isWanted: isWanted), at: time) }

    mutating func hurry(at time: Double) -> [String] { handle(.hurry, at: time) }

    private static func message(_ host: String) -> RequestMessage { RequestMessage(url: URL(string: "http://\(host).org/rows")!) }

    private mutating func handle(_ kind: Reachability.Kind, at time: Double) -> [String] {
        var effects: [Reachability.Effect] = []
        reachability.handle(.init(kind: kind, time: .seconds(time)), effects: &effects)
        return effects.map { effect in
            switch effect {
            case .probe(let host, _): "probe \(host.prefix { $0 != "." })"
            case .alarm(let time): "alarm at \(time / .seconds(1))"
            case .notify(let change): "\(change.host.prefix { $0 != "." }) is \(change.isReachable ? "back" : "away")"
            }
        }
    }
}
