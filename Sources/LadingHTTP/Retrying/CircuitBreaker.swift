import LadingOperations

/// Decides whether a host is asked at all: not for a while after most of what was asked of it has failed.
///
/// | state | `ask` | `succeeded` | `failed` | `untold` | `reconnect` |
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
        fileprivate let term: UInt64
    }

    enum Event: Hashable, Sendable {
        /// Somebody wants to ask the host.
        case ask(at: Duration)
        /// The host has answered, and may go on to for hours: a probe has found out by then, and is not waited for.
        case answer(Admission, HostVerdict, at: Duration)
        /// What was admitted has ended.
        case end(Admission, HostVerdict, at: Duration)
        /// The network is back; without it the host could not be reached whether it works or not.
        case reconnect(at: Duration)
    }

    enum Effect: Hashable, Sendable {
        case admit(Admission)
        /// The host is left alone, for about this much longer.
        case refuse(for: Duration)
    }

    private(set) var state = State.closed
    private let limits: CircuitLimits
    private var outcomes: OutcomeWindow
    private var term: UInt64 = 0
    /// How long the circuit stays open the next time.
    private var pause: Duration

    init(_ limits: CircuitLimits) {
        self.limits = limits
        outcomes = OutcomeWindow(length: limits.window)
        pause = limits.pause
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .ask(let now): effects.append(ask(at: now))
        case .answer(let admission, let verdict, let now): if admission.term == term, isProbing { end(verdict, at: now) }
        case .end(let admission, let verdict, let now): if admission.term == term { end(verdict, at: now) }
        case .reconnect(let now): reconnect(at: now)
        }
    }

    private mutating func ask(at now: Duration) -> Effect {
        switch state {
        case .open(let end) where now < end: return .refuse(for: end - now)
        case .halfOpen(let end) where now < end: return .refuse(for: min(end - now, limits.pause))
        case .open, .halfOpen: enter(.halfOpen(until: now + limits.probeTime))
        case .closed: break
        }
        return .admit(Admission(term: term))
    }

    private var isProbing: Bool { if case .halfOpen = state { true } else { false } }

    private mutating func end(_ verdict: HostVerdict, at now: Duration) {
        switch (state, verdict) {
        case (.closed, .untold), (.open, _): break
        case (.closed, _):
            outcomes.note(isFailure: verdict == .failed, at: now)
            if isFailing { open(at: now) }
        case (.halfOpen, .succeeded): close()
        case (.halfOpen, .failed): open(at: now)
        case (.halfOpen, .untold): enter(.open(until: now))
        }
    }

    private mutating func reconnect(at now: Duration) {
        outcomes = OutcomeWindow(length: limits.window)
        pause = limits.pause
        enter(state == .closed ? .closed : .open(until: now))
    }

    private var isFailing: Bool {
        let (count, failures) = outcomes.totals
        return count >= limits.leastCount && Double(failures) >= limits.failureShare * Double(count) && failures > 0
    }

    private mutating func open(at now: Duration) {
        enter(.open(until: now + pause))
        pause = min(limits.longestPause, pause * 2)
    }

    private mutating func close() {
        enter(.closed)
        outcomes = OutcomeWindow(length: limits.window)
        pause = limits.pause
    }

    private mutating func enter(_ state: State) {
        self.state = state
        term += 1
    }
}
