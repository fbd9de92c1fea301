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
struct CircuitBreaker: Sendable {
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

    /// The action on a request.
    enum RequestAction: Hashable, Sendable {
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

    /// Admits or fails a request that is about to be sent.
    mutating func request(at now: Duration) -> RequestAction {
        switch state {
        case .open(let end) where now < end: return .failFast(retryAfter: end - now)
        case .halfOpen(let end) where now < end: return .failFast(retryAfter: min(end - now, limits.openDuration))
        case .open, .halfOpen: enter(.halfOpen(until: now + limits.probeTimeout))
        case .closed: break
        }
        return .admit(Admission(generation: generation))
    }

    /// Handles the beginning of a response, which may last for hours: it decides a probe without waiting for its end.
    mutating func responseStarted(_ admission: Admission, _ outcome: HostOutcome, at now: Duration) {
        if case .halfOpen = state { end(admission, outcome, at: now) }
    }

    /// Handles the end of an admitted exchange.
    mutating func end(_ admission: Admission, _ outcome: HostOutcome, at now: Duration) {
        guard admission.generation == generation else { return }
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

    /// Handles the return of the network, without which every request failed, whether the host works or not.
    mutating func reconnect(at now: Duration) {
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
