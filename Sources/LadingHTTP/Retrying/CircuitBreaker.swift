import Decisions

/// The circuit breaker of a host, which rejects requests for a while after most of them have failed.
///
/// | state | `request` | `succeeded` | `failed` | `neutral` | `reconnect` |
/// |---|---|---|---|---|---|
/// | closed | admit | counted | counted; → open when too many are | – | all counts are reset |
/// | open | fail fast; after the open duration → half-open, admit the probe | – | – | – | → open, expired; duration reset |
/// | half-open | fail fast; after the probe timeout admit another | → closed | → open, for twice as long | → open, expired | as when open |
///
/// In the half-open state the beginning of a response counts like its end: a probe may be a download that takes hours.
///
/// Only exchanges of the current generation count: one that began before the circuit opened is outdated. In the half-open state each probe is a
/// generation.
///
/// All times are measured from the same starting point.
struct CircuitBreaker: Decision, Sendable {
    enum State: Hashable, Sendable {
        case closed
        case open(until: Duration)
        /// One probe is in flight; after this time it counts as lost.
        case halfOpen(until: Duration)
    }

    /// An admitted exchange, with the generation in which it was admitted.
    struct Admission: Hashable, Sendable {
        fileprivate let generation: UInt64
    }

    enum Event: Hashable, Sendable {
        /// A request to the host is about to be sent.
        case request(at: Duration)
        /// A response has begun, and may last for hours: it decides a probe without waiting for its end.
        case responseStarted(Admission, HostOutcome, at: Duration)
        /// An admitted exchange has ended.
        case end(Admission, HostOutcome, at: Duration)
        /// The network is back; without it every request failed, whether the host works or not.
        case reconnect(at: Duration)
    }

    enum Effect: Hashable, Sendable {
        case admit(Admission)
        /// Fail the request without sending it; the host gets none for about the given time.
        case failFast(retryAfter: Duration)
    }

    private(set) var state = State.closed
    private let limits: CircuitLimits
    private var outcomes: OutcomeWindow
    private var generation: UInt64 = 0
    /// The duration of the next open state.
    private var openDuration: Duration

    init(_ limits: CircuitLimits) {
        self.limits = limits
        outcomes = OutcomeWindow(length: limits.window)
        openDuration = limits.openDuration
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .request(let now): effects.append(request(at: now))
        case .responseStarted(let admission, let outcome, let now):
            if admission.generation == generation, isProbing { end(outcome, at: now) }
        case .end(let admission, let outcome, let now): if admission.generation == generation { end(outcome, at: now) }
        case .reconnect(let now): reconnect(at: now)
        }
    }

    private mutating func request(at now: Duration) -> Effect {
        switch state {
        case .open(let end) where now < end: return .failFast(retryAfter: end - now)
        case .halfOpen(let end) where now < end: return .failFast(retryAfter: min(end - now, limits.openDuration))
        case .open, .halfOpen: enter(.halfOpen(until: now + limits.probeTimeout))
        case .closed: break
        }
        return .admit(Admission(generation: generation))
    }

    private var isProbing: Bool { if case .halfOpen = state { true } else { false } }

    private mutating func end(_ outcome: HostOutcome, at now: Duration) {
        switch (state, outcome) {
        case (.closed, .neutral), (.open, _): break
        case (.closed, _):
            outcomes.record(isFailure: outcome == .failed, at: now)
            if isFailing { open(at: now) }
        case (.halfOpen, .succeeded): close()
        case (.halfOpen, .failed): open(at: now)
        case (.halfOpen, .neutral): enter(.open(until: now))
        }
    }

    private mutating func reconnect(at now: Duration) {
        outcomes = OutcomeWindow(length: limits.window)
        openDuration = limits.openDuration
        enter(state == .closed ? .closed : .open(until: now))
    }

    private var isFailing: Bool {
        let (count, failures) = outcomes.totals
        return count >= limits.minimumOutcomes && Double(failures) >= limits.failureRateThreshold * Double(count) && failures > 0
    }

    private mutating func open(at now: Duration) {
        enter(.open(until: now + openDuration))
        openDuration = min(limits.openDurationLimit, openDuration * 2)
    }

    private mutating func close() {
        enter(.closed)
        outcomes = OutcomeWindow(length: limits.window)
        openDuration = limits.openDuration
    }

    private mutating func enter(_ state: State) {
        self.state = state
        generation += 1
    }
}
