import LadingTesting
import Testing

@testable import LadingHTTP

@Suite struct CircuitBreakerTests {
    private static let limits = CircuitLimits(
        window: .seconds(10), minimumOutcomes: 4, failureRateThreshold: 0.5, openDuration: .seconds(2), openDurationLimit: .seconds(6),
        probeTimeout: .seconds(60))

    private var harness = CircuitBreakerHarness(limits)

    // MARK: Closed

    @Test mutating func `A healthy host receives requests`() {
        for second in 0..<100 { harness.exchange(.succeeded, at: .seconds(second)) }

        #expect(harness.state == .closed)
        #expect(harness.rejections == [])
    }

    @Test mutating func `Too few outcomes do not open the circuit`() {
        for _ in 0..<3 { harness.exchange(.failed, at: .zero) }

        #expect(harness.state == .closed)
    }

    @Test mutating func `Enough failures among enough outcomes open the circuit`() {
        for verdict in [HostOutcome.succeeded, .succeeded, .failed] { harness.exchange(verdict, at: .zero) }
        #expect(harness.state == .closed)

        harness.exchange(.failed, at: .seconds(1))

        #expect(harness.state == .open(until: .seconds(3)))
    }

    @Test mutating func `A failure rate below the threshold does not open the circuit`() {
        for round in 0..<50 {
            for verdict in [HostOutcome.succeeded, .succeeded, .failed] { harness.exchange(verdict, at: .milliseconds(round)) }
        }

        #expect(harness.state == .closed)
    }

    @Test mutating func `A failure counts until the end of the window`() {
        for _ in 0..<3 { harness.exchange(.failed, at: .zero) }
        var later = harness

        harness.exchange(.failed, at: .seconds(9.5))
        later.exchange(.failed, at: .seconds(10))

        #expect(harness.state == .open(until: .seconds(11.5)))
        #expect(later.state == .closed)
    }

    @Test func `With a threshold of 0 the first failure among enough outcomes opens the circuit`() {
        var harness = CircuitBreakerHarness(CircuitLimits(minimumOutcomes: 4, failureRateThreshold: 0, openDuration: .seconds(2)))
        for _ in 0..<4 { harness.exchange(.succeeded, at: .zero) }
        #expect(harness.state == .closed)

        harness.exchange(.failed, at: .zero)

        #expect(harness.state == .open(until: .seconds(2)))
    }

    @Test mutating func `Cancelled requests are not counted as outcomes`() {
        for _ in 0..<100 { harness.exchange(.neutral, at: .zero) }
        #expect(harness.state == .closed)

        for _ in 0..<4 { harness.exchange(.failed, at: .zero) }
        #expect(harness.state == .open(until: .seconds(2)))
    }

    // MARK: Open

    @Test mutating func `An open circuit rejects requests with the remaining time`() {
        harness.open(at: .zero)

        #expect(harness.request(at: .zero) == .failFast(retryAfter: .seconds(2)))
        #expect(harness.request(at: .seconds(1.5)) == .failFast(retryAfter: .seconds(0.5)))
    }

    @Test mutating func `A request admitted before the circuit opened has no effect when it ends`() {
        let late = harness.admit(at: .zero)
        harness.open(at: .zero)

        harness.end(late, .succeeded, at: .seconds(1))
        #expect(harness.state == .open(until: .seconds(2)))

        let probe = harness.admit(at: .seconds(2))
        harness.end(late, .failed, at: .seconds(2))
        #expect(harness.state == .halfOpen(until: .seconds(62)))

        harness.end(probe, .succeeded, at: .seconds(3))
        #expect(harness.state == .closed)
    }

    // MARK: Half-open

    @Test mutating func `After the open duration exactly one probe is admitted`() {
        harness.open(at: .zero)

        _ = harness.admit(at: .seconds(2))

        #expect(harness.request(at: .seconds(2)) == .failFast(retryAfter: .seconds(2)))
        #expect(harness.request(at: .seconds(61)) == .failFast(retryAfter: .seconds(1)))
    }

    @Test mutating func `A successful probe closes the circuit and clears the outcomes`() {
        harness.open(at: .zero)

        harness.exchange(.succeeded, at: .seconds(2))
        for _ in 0..<3 { harness.exchange(.failed, at: .seconds(2)) }

        #expect(harness.state == .closed)
    }

    @Test mutating func `Each failed probe doubles the open duration up to its limit, and a success resets it`() {
        harness.open(at: .zero)

        harness.exchange(.failed, at: .seconds(2))
        #expect(harness.state == .open(until: .seconds(6)))
        harness.exchange(.failed, at: .seconds(6))
        #expect(harness.state == .open(until: .seconds(12)))
        harness.exchange(.failed, at: .seconds(12))
        #expect(harness.state == .open(until: .seconds(18)))

        harness.exchange(.succeeded, at: .seconds(18))
        harness.open(at: .seconds(20))
        #expect(harness.state == .open(until: .seconds(22)))
    }

    @Test mutating func `The beginning of a response to a probe closes the circuit, whatever its end`() {
        harness.open(at: .zero)
        let probe = harness.admit(at: .seconds(2))

        harness.responseStarted(probe, .succeeded, at: .seconds(3))
        #expect(harness.state == .closed)
        for _ in 0..<9 { harness.end(probe, .failed, at: .seconds(4)) }

        #expect(harness.state == .closed)
    }

    @Test mutating func `The beginning of a response to other requests is not counted`() {
        let exchange = harness.admit(at: .zero)

        for _ in 0..<9 { harness.responseStarted(exchange, .failed, at: .zero) }

        #expect(harness.state == .closed)
    }

    @Test mutating func `After a cancelled probe another one is admitted`() {
        harness.open(at: .zero)

        harness.exchange(.neutral, at: .seconds(2))
        #expect(harness.state == .open(until: .seconds(2)))

        harness.exchange(.succeeded, at: .seconds(2))
        #expect(harness.state == .closed)
    }

    @Test mutating func `A probe that does not end within its timeout is replaced`() {
        harness.open(at: .zero)
        let lost = harness.admit(at: .seconds(2))

        let second = harness.admit(at: .seconds(62))
        harness.end(lost, .succeeded, at: .seconds(63))
        #expect(harness.state == .halfOpen(until: .seconds(122)))

        harness.end(second, .succeeded, at: .seconds(64))
        #expect(harness.state == .closed)
    }

    // MARK: Reconnection

    @Test mutating func `A reconnection admits a probe at once and resets the open duration`() {
        harness.open(at: .zero)
        harness.exchange(.failed, at: .seconds(2))
        #expect(harness.state == .open(until: .seconds(6)))

        harness.reconnect(at: .seconds(3))
        #expect(harness.state == .open(until: .seconds(3)))
        harness.exchange(.failed, at: .seconds(3))
        #expect(harness.state == .open(until: .seconds(5)))
    }

    @Test mutating func `A probe that began before a reconnection has no effect`() {
        harness.open(at: .zero)
        let early = harness.admit(at: .seconds(2))

        harness.reconnect(at: .seconds(3))
        harness.end(early, .failed, at: .seconds(3))
        #expect(harness.state == .open(until: .seconds(3)))

        harness.exchange(.succeeded, at: .seconds(3))
        #expect(harness.state == .closed)
    }

    @Test mutating func `Failures before a reconnection are not counted`() {
        let late = harness.admit(at: .zero)
        for _ in 0..<3 { harness.exchange(.failed, at: .zero) }

        harness.reconnect(at: .seconds(1))
        harness.end(late, .failed, at: .seconds(1))
        for _ in 0..<3 { harness.exchange(.failed, at: .seconds(1)) }

        #expect(harness.state == .closed)
    }

    // MARK: Invariants

    @Test(arguments: TestSeeds.seeds(count: 30)) func `The invariants hold for random sequences of requests`(seed: UInt64) {
        var fuzzer = CircuitBreakerFuzzer(Self.limits, seed: seed)

        fuzzer.run(steps: 3_000)

        #expect(fuzzer.violations == [], "LADING_SEED=\(seed)")
        #expect(fuzzer.openings > 0, "LADING_SEED=\(seed)")
    }
}

/// A harness of a circuit breaker, which records its rejections.
struct CircuitBreakerHarness {
    private var breaker: CircuitBreaker
    private let limits: CircuitLimits
    private(set) var rejections: [Duration] = []

    init(_ limits: CircuitLimits) {
        self.limits = limits
        breaker = CircuitBreaker(limits)
    }

    var state: CircuitBreaker.State { breaker.state }

    mutating func request(at now: Duration) -> CircuitBreaker.RequestAction {
        let action = breaker.request(at: now)
        if case .failFast = action { rejections.append(now) }
        return action
    }

    /// Returns the admission of a request; nil when it is rejected.
    mutating func admit(at now: Duration) -> CircuitBreaker.Admission? {
        if case .admit(let admission) = request(at: now) { admission } else { nil }
    }

    mutating func end(_ admission: CircuitBreaker.Admission?, _ outcome: HostOutcome, at now: Duration) {
        guard let admission else {
            Issue.record("no probe was admitted")
            return
        }
        breaker.end(admission, outcome, at: now)
    }

    mutating func responseStarted(_ admission: CircuitBreaker.Admission?, _ outcome: HostOutcome, at now: Duration) {
        guard let admission else { return }
        breaker.responseStarted(admission, outcome, at: now)
    }

    mutating func exchange(_ outcome: HostOutcome, at now: Duration) {
        end(admit(at: now), outcome, at: now)
    }

    mutating func reconnect(at now: Duration) { breaker.reconnect(at: now) }

    /// Records enough failures to open the circuit.
    mutating func open(at now: Duration) {
        for _ in 0..<limits.minimumOutcomes { exchange(.failed, at: now) }
    }
}

/// A fuzzer that makes random requests, by a seed, and records violated invariants.
private struct CircuitBreakerFuzzer {
    private struct Exchange {
        var admission: CircuitBreaker.Admission
        var isProbe: Bool
        /// The number of times that the circuit had opened when the exchange began.
        var generation: Int
    }

    private let limits: CircuitLimits
    private var harness: CircuitBreakerHarness
    private var random: SeededRandom
    private var now = Duration.zero
    private var inFlight: [Exchange] = []
    /// The percentage of exchanges that fail, which changes from time to time.
    private var failurePercentage = 10
    /// The outcomes recorded while the circuit was closed.
    private var outcomes: [(time: Duration, isFailure: Bool)] = []
    private(set) var violations: [String] = []
    private(set) var openings = 0

    init(_ limits: CircuitLimits, seed: UInt64) {
        self.limits = limits
        harness = CircuitBreakerHarness(limits)
        random = SeededRandom(seed: seed)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps {
            now += .milliseconds(Int.random(in: 0...400, using: &random))
            if Int.random(in: 0..<100, using: &random) == 0 { failurePercentage = [5, 10, 50, 100].randomElement(using: &random) ?? 0 }
            if inFlight.count < 8, Bool.random(using: &random) { request() } else { end() }
        }
    }

    private mutating func request() {
        let before = harness.state
        let action = harness.request(at: now)
        switch (before, action) {
        case (.closed, .admit(let admission)): inFlight.append(Exchange(admission: admission, isProbe: false, generation: openings))
        case (.open(let end), .admit(let admission)) where now >= end, (.halfOpen(let end), .admit(let admission)) where now >= end:
            inFlight.append(Exchange(admission: admission, isProbe: true, generation: openings))
        case (.open(let end), .failFast(let pause)) where now < end && pause == end - now: break
        case (.halfOpen(let end), .failFast(let pause)) where now < end && pause > .zero: break
        default: violations.append("\(before) answered \(action) at \(now)")
        }
    }

    private mutating func end() {
        guard !inFlight.isEmpty else { return }
        let exchange = inFlight.remove(at: .random(in: 0..<inFlight.count, using: &random))
        let outcome = randomOutcome()
        let before = harness.state
        harness.end(exchange.admission, outcome, at: now)
        switch (before, harness.state) {
        case (.closed, let after): checkClosed(exchange, outcome, after)
        case (.open, let after): if after != before { violations.append("an open circuit changed by what ended") }
        case (.halfOpen, .closed):
            if !exchange.isProbe || outcome != .succeeded { violations.append("closed by \(exchange), \(outcome)") }
            outcomes = []
        case (.halfOpen, .open):
            if !exchange.isProbe || outcome == .succeeded { violations.append("opened by \(exchange), \(outcome)") }
        case (.halfOpen, .halfOpen): break
        }
    }

    /// Checks an outcome in the closed state. The window consists of slices: outcomes younger than it by a slice count, older ones do not.
    private mutating func checkClosed(_ exchange: Exchange, _ outcome: HostOutcome, _ after: CircuitBreaker.State) {
        let counts = outcome != .neutral && !exchange.isProbe && exchange.generation == openings
        if counts { outcomes.append((now, outcome == .failed)) }
        let slice = limits.window / 10
        let certain = outcomes.filter { $0.time > now - limits.window + slice }
        let possible = outcomes.filter { $0.time >= now - limits.window }
        if case .open = after {
            openings += 1
            if possible.count < limits.minimumOutcomes { violations.append("opened after \(possible.count) outcomes") }
            if !possible.contains(where: \.isFailure) { violations.append("opened without a failure") }
        } else if certain.count >= limits.minimumOutcomes, certain.count == possible.count, counts,
            certain.count(where: \.isFailure) * 2 >= certain.count
        {
            violations.append("stayed closed with \(certain)")
        }
    }

    private mutating func randomOutcome() -> HostOutcome {
        if Int.random(in: 0..<20, using: &random) == 0 { return .neutral }
        return Int.random(in: 0..<100, using: &random) < failurePercentage ? .failed : .succeeded
    }
}
