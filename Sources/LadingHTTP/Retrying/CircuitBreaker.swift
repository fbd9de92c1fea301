import LadingOperations

/// Decides whether a host is asked at all: not for a while after most of what was asked of it has failed.
///
/// | state | `ask` | `succeeded` | `failed` | `inconclusive` | `reconnect` |
/// |---|---|---|---|---|---|
/// | closed | admit | counted | counted; → open when too many are | – | what was counted is forgotten |
/// | open | refuse; once the pause is over → half-open, admit one as the probe | – | – | – | → open, the pause over; the next one is short |
/// | half-open | refuse; when the probe is taken for lost, admit another | → closed | → open, for twice as long | → open, the pause over | as when open |
///
/// In the half-open state the beginning of an answer counts like the end: a probe may be a download that takes hours.
///
/// Only what was admitted in the present term counts: an exchange that began before the circuit opened says nothing about the host of now.
/// In the half-open state the term is that of one probe.
///
/// Times are those that have gone by since some moment, the same for all events.
struct CircuitBreaker: Decision, Sendable {
    enum State: Hashable, Sendable {
        case closed
        case open(until: Duration)
        /// One exchange is under way to find out; after this moment it is taken for lost.
        case halfOpen(until: Duration)
    }

    /// What was admitted, and in which term.
    struct Admission: Hashable, Sendable {
        fileprivate let generation: UInt64
    }

    enum Event: Hashable, Sendable {
        /// Somebody wants to ask the host.
        case request(at: Duration)
        /// The host has answered, and may go on to for hours: a probe has found out by then, and is not waited for.
        case responseBegan(Admission, HostOutcome, at: Duration)
        /// What was admitted has ended.
        case end(Admission, HostOutcome, at: Duration)
        /// The network is back; without it the host could not be reached whether it works or not.
        case reconnect(at: Duration)
    }

    enum Effect: Hashable, Sendable {
        case admit(Admission)
        /// The host is left alone, for about this much longer.
        case reject(retryAfter: Duration)
    }

    private(set) var state = State.closed
    private let limits: CircuitLimits
    private var outcomes: OutcomeWindow
    private var generation: UInt64 = 0
    /// How long the circuit stays open the next time.
    private var openDuration: Duration

    init(_ limits: CircuitLimits) {
        self.limits = limits
        outcomes = OutcomeWindow(length: limits.window)
        openDuration = limits.openDuration
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .request(let now): effects.append(request(at: now))
        case .responseBegan(let admission, let verdict, let now): if admission.generation == generation, isProbing { end(verdict, at: now) }
        case .end(let admission, let verdict, let now): if admission.generation == generation { end(verdict, at: now) }
        case .reconnect(let now): reconnect(at: now)
        }
    }

    private mutating func request(at now: Duration) -> Effect {
        switch state {
        case .open(let end) where now < end: return .reject(retryAfter: end - now)
        case .halfOpen(let end) where now < end: return .reject(retryAfter: min(end - now, limits.openDuration))
        case .open, .halfOpen: enter(.halfOpen(until: now + limits.probeTimeout))
        case .closed: break
        }
        return .admit(Admission(generation: generation))
    }

    private var isProbing: Bool { if case .halfOpen = state { true } else { false } }

    private mutating func end(_ outcome: HostOutcome, at now: Duration) {
        switch (state, outcome) {
        case (.closed, .inconclusive), (.open, _): break
        case (.closed, _):
            outcomes.record(isFailure: outcome == .failed, at: now)
            if isFailing { open(at: now) }
        case (.halfOpen, .succeeded): close()
        case (.halfOpen, .failed): open(at: now)
        case (.halfOpen, .inconclusive): enter(.open(until: now))
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
