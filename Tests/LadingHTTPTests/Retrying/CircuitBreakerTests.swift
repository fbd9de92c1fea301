import LadingTesting
import Testing

@testable import LadingHTTP

@Suite struct CircuitBreakerTests {
    private static let limits = CircuitLimits(
        window: .seconds(10), leastCount: 4, failureShare: 0.5, pause: .seconds(2), longestPause: .seconds(6), probeTime: .seconds(60))

    private var pad = CircuitPad(limits)

    // MARK: Closed

    @Test mutating func `A host that works is asked`() {
        for second in 0..<100 { pad.exchange(.succeeded, at: .seconds(second)) }

        #expect(pad.state == .closed)
        #expect(pad.refusals == [])
    }

    @Test mutating func `With too few outcomes nothing is concluded`() {
        for _ in 0..<3 { pad.exchange(.failed, at: .zero) }

        #expect(pad.state == .closed)
    }

    @Test mutating func `Enough failures among enough outcomes open it`() {
        for verdict in [HostVerdict.succeeded, .succeeded, .failed] { pad.exchange(verdict, at: .zero) }
        #expect(pad.state == .closed)

        pad.exchange(.failed, at: .seconds(1))

        #expect(pad.state == .open(until: .seconds(3)))
    }

    @Test mutating func `Fewer failures than their share leave it closed`() {
        for round in 0..<50 {
            for verdict in [HostVerdict.succeeded, .succeeded, .failed] { pad.exchange(verdict, at: .milliseconds(round)) }
        }

        #expect(pad.state == .closed)
    }

    @Test mutating func `Failures of long ago do not count`() {
        for _ in 0..<3 { pad.exchange(.failed, at: .zero) }

        pad.exchange(.failed, at: .seconds(11))

        #expect(pad.state == .closed)
    }

    @Test mutating func `Who leaves says nothing about the host`() {
        for _ in 0..<100 { pad.exchange(.untold, at: .zero) }
        #expect(pad.state == .closed)

        for _ in 0..<4 { pad.exchange(.failed, at: .zero) }
        #expect(pad.state == .open(until: .seconds(2)))
    }

    // MARK: Open

    @Test mutating func `While it is open nobody is let through, and is told for how long`() {
        pad.open(at: .zero)

        #expect(pad.ask(at: .zero) == .refuse(for: .seconds(2)))
        #expect(pad.ask(at: .seconds(1.5)) == .refuse(for: .seconds(0.5)))
    }

    @Test mutating func `What began before it opened changes nothing when it ends`() {
        let late = pad.admit(at: .zero)
        pad.open(at: .zero)

        pad.end(late, .succeeded, at: .seconds(1))
        #expect(pad.state == .open(until: .seconds(2)))

        let probe = pad.admit(at: .seconds(2))
        pad.end(late, .failed, at: .seconds(2))
        #expect(pad.state == .halfOpen(until: .seconds(62)))

        pad.end(probe, .succeeded, at: .seconds(3))
        #expect(pad.state == .closed)
    }

    // MARK: Half-open

    @Test mutating func `After the pause one is let through, and only one`() {
        pad.open(at: .zero)

        _ = pad.admit(at: .seconds(2))

        #expect(pad.ask(at: .seconds(2)) == .refuse(for: .seconds(2)))
        #expect(pad.ask(at: .seconds(61)) == .refuse(for: .seconds(1)))
    }

    @Test mutating func `A probe that succeeds closes it, and the past is forgotten`() {
        pad.open(at: .zero)

        pad.exchange(.succeeded, at: .seconds(2))
        for _ in 0..<3 { pad.exchange(.failed, at: .seconds(2)) }

        #expect(pad.state == .closed)
    }

    @Test mutating func `Each probe that fails doubles the pause, up to the longest; a success makes it short again`() {
        pad.open(at: .zero)

        pad.exchange(.failed, at: .seconds(2))
        #expect(pad.state == .open(until: .seconds(6)))
        pad.exchange(.failed, at: .seconds(6))
        #expect(pad.state == .open(until: .seconds(12)))
        pad.exchange(.failed, at: .seconds(12))
        #expect(pad.state == .open(until: .seconds(18)))

        pad.exchange(.succeeded, at: .seconds(18))
        pad.open(at: .seconds(20))
        #expect(pad.state == .open(until: .seconds(22)))
    }

    @Test mutating func `A probe that is answered has found out, however long the answer takes and however it ends`() {
        pad.open(at: .zero)
        let probe = pad.admit(at: .seconds(2))

        pad.answer(probe, .succeeded, at: .seconds(3))
        #expect(pad.state == .closed)
        for _ in 0..<9 { pad.end(probe, .failed, at: .seconds(4)) }

        #expect(pad.state == .closed)
    }

    @Test mutating func `An answer to anything but a probe is not counted beside its end`() {
        let exchange = pad.admit(at: .zero)

        for _ in 0..<9 { pad.answer(exchange, .failed, at: .zero) }

        #expect(pad.state == .closed)
    }

    @Test mutating func `A probe that was cancelled lets the next one through`() {
        pad.open(at: .zero)

        pad.exchange(.untold, at: .seconds(2))
        #expect(pad.state == .open(until: .seconds(2)))

        pad.exchange(.succeeded, at: .seconds(2))
        #expect(pad.state == .closed)
    }

    @Test mutating func `A probe that never ends is taken for lost`() {
        pad.open(at: .zero)
        let lost = pad.admit(at: .seconds(2))

        let second = pad.admit(at: .seconds(62))
        pad.end(lost, .succeeded, at: .seconds(63))
        #expect(pad.state == .halfOpen(until: .seconds(122)))

        pad.end(second, .succeeded, at: .seconds(64))
        #expect(pad.state == .closed)
    }

    // MARK: The network

    @Test mutating func `When the network is back an open circuit lets one through, and its next pause is short`() {
        pad.open(at: .zero)
        pad.exchange(.failed, at: .seconds(2))
        #expect(pad.state == .open(until: .seconds(6)))

        pad.reconnect(at: .seconds(3))
        #expect(pad.state == .open(until: .seconds(3)))
        pad.exchange(.failed, at: .seconds(3))
        #expect(pad.state == .open(until: .seconds(5)))
    }

    @Test mutating func `A probe that began without a network says nothing, and makes way for another`() {
        pad.open(at: .zero)
        let early = pad.admit(at: .seconds(2))

        pad.reconnect(at: .seconds(3))
        pad.end(early, .failed, at: .seconds(3))
        #expect(pad.state == .open(until: .seconds(3)))

        pad.exchange(.succeeded, at: .seconds(3))
        #expect(pad.state == .closed)
    }

    @Test mutating func `What failed without a network is not counted`() {
        let late = pad.admit(at: .zero)
        for _ in 0..<3 { pad.exchange(.failed, at: .zero) }

        pad.reconnect(at: .seconds(1))
        pad.end(late, .failed, at: .seconds(1))
        for _ in 0..<3 { pad.exchange(.failed, at: .seconds(1)) }

        #expect(pad.state == .closed)
    }

    // MARK: Laws

    @Test(arguments: Seeds.several(30)) func `Whatever happens, the laws hold`(seed: UInt64) {
        var monkey = CircuitMonkey(Self.limits, seed: seed)

        monkey.run(steps: 3_000)

        #expect(monkey.violations == [], "LADING_SEED=\(seed)")
        #expect(monkey.openings > 0, "LADING_SEED=\(seed)")
    }
}

/// A breaker to tell events to, which remembers whom it refused.
struct CircuitPad {
    private var breaker: CircuitBreaker
    private let limits: CircuitLimits
    private(set) var refusals: [Duration] = []

    init(_ limits: CircuitLimits) {
        self.limits = limits
        breaker = CircuitBreaker(limits)
    }

    var state: CircuitBreaker.State { breaker.state }

    mutating func ask(at now: Duration) -> CircuitBreaker.Effect? {
        var effects: [CircuitBreaker.Effect] = []
        breaker.handle(.ask(at: now), effects: &effects)
        if case .refuse = effects.first { refusals.append(now) }
        return effects.count == 1 ? effects[0] : nil
    }

    /// Asks, and expects to be let through.
    mutating func admit(at now: Duration) -> CircuitBreaker.Admission? {
        if case .admit(let admission) = ask(at: now) { admission } else { nil }
    }

    mutating func end(_ admission: CircuitBreaker.Admission?, _ verdict: HostVerdict, at now: Duration) {
        guard let admission else {
            Issue.record("nobody was let through")
            return
        }
        var effects: [CircuitBreaker.Effect] = []
        breaker.handle(.end(admission, verdict, at: now), effects: &effects)
        if !effects.isEmpty { Issue.record("an end is answered with \(effects)") }
    }

    mutating func answer(_ admission: CircuitBreaker.Admission?, _ verdict: HostVerdict, at now: Duration) {
        guard let admission else { return }
        var effects: [CircuitBreaker.Effect] = []
        breaker.handle(.answer(admission, verdict, at: now), effects: &effects)
    }

    mutating func exchange(_ verdict: HostVerdict, at now: Duration) {
        end(admit(at: now), verdict, at: now)
    }

    mutating func reconnect(at now: Duration) {
        var effects: [CircuitBreaker.Effect] = []
        breaker.handle(.reconnect(at: now), effects: &effects)
        if !effects.isEmpty { Issue.record("a network that is back is answered with \(effects)") }
    }

    /// Lets enough fail.
    mutating func open(at now: Duration) {
        for _ in 0..<limits.leastCount { exchange(.failed, at: now) }
    }
}

/// Asks and ends at random, by a seed, and notes where a law is broken.
private struct CircuitMonkey {
    private struct Exchange {
        var admission: CircuitBreaker.Admission
        var isProbe: Bool
        /// How often the circuit had opened when it began.
        var era: Int
    }

    private let limits: CircuitLimits
    private var pad: CircuitPad
    private var random: SeededRandom
    private var now = Duration.zero
    private var underWay: [Exchange] = []
    /// How often, of a hundred, an exchange fails; it changes now and then.
    private var troubles = 10
    /// Outcomes told while the circuit was closed.
    private var outcomes: [(time: Duration, isFailure: Bool)] = []
    private(set) var violations: [String] = []
    private(set) var openings = 0

    init(_ limits: CircuitLimits, seed: UInt64) {
        self.limits = limits
        pad = CircuitPad(limits)
        random = SeededRandom(seed: seed)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps {
            now += .milliseconds(Int.random(in: 0...400, using: &random))
            if Int.random(in: 0..<100, using: &random) == 0 { troubles = [5, 10, 50, 100].randomElement(using: &random) ?? 0 }
            if underWay.count < 8, Bool.random(using: &random) { ask() } else { end() }
        }
    }

    private mutating func ask() {
        let before = pad.state
        let effect = pad.ask(at: now)
        switch (before, effect) {
        case (.closed, .admit(let admission)): underWay.append(Exchange(admission: admission, isProbe: false, era: openings))
        case (.open(let end), .admit(let admission)) where now >= end, (.halfOpen(let end), .admit(let admission)) where now >= end:
            underWay.append(Exchange(admission: admission, isProbe: true, era: openings))
        case (.open(let end), .refuse(let pause)) where now < end && pause == end - now: break
        case (.halfOpen(let end), .refuse(let pause)) where now < end && pause > .zero: break
        default: violations.append("\(before) answered \(String(describing: effect)) at \(now)")
        }
    }

    private mutating func end() {
        guard !underWay.isEmpty else { return }
        let exchange = underWay.remove(at: .random(in: 0..<underWay.count, using: &random))
        let verdict = verdict()
        let before = pad.state
        pad.end(exchange.admission, verdict, at: now)
        switch (before, pad.state) {
        case (.closed, let after): judgeClosed(exchange, verdict, after)
        case (.open, let after): if after != before { violations.append("an open circuit changed by what ended") }
        case (.halfOpen, .closed):
            if !exchange.isProbe || verdict != .succeeded { violations.append("closed by \(exchange), \(verdict)") }
            outcomes = []
        case (.halfOpen, .open):
            if !exchange.isProbe || verdict == .succeeded { violations.append("opened by \(exchange), \(verdict)") }
        case (.halfOpen, .halfOpen): break
        }
    }

    /// The window is kept in slices: what is younger than it by a slice counts, what is older does not.
    private mutating func judgeClosed(_ exchange: Exchange, _ verdict: HostVerdict, _ after: CircuitBreaker.State) {
        let counts = verdict != .untold && !exchange.isProbe && exchange.era == openings
        if counts { outcomes.append((now, verdict == .failed)) }
        let slice = limits.window / 10
        let certain = outcomes.filter { $0.time > now - limits.window + slice }
        let possible = outcomes.filter { $0.time >= now - limits.window }
        if case .open = after {
            openings += 1
            if possible.count < limits.leastCount { violations.append("opened after \(possible.count) outcomes") }
            if !possible.contains(where: \.isFailure) { violations.append("opened without a failure") }
        } else if certain.count >= limits.leastCount, certain.count == possible.count, counts,
            certain.count(where: \.isFailure) * 2 >= certain.count
        {
            violations.append("stayed closed with \(certain)")
        }
    }

    private mutating func verdict() -> HostVerdict {
        if Int.random(in: 0..<20, using: &random) == 0 { return .untold }
        return Int.random(in: 0..<100, using: &random) < troubles ? .failed : .succeeded
    }
}
