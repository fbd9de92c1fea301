import LadingOperations

/// Decides which hosts count as out of reach, when they are probed, and when work that failed because of them is retried. A synchronous value.
///
/// | a host is | unanswered | circuitOpen | missed | answered | due | probed |
/// |---|---|---|---|---|---|---|
/// | reachable | → silent, notify | → resting | → late | – | – | – |
/// | silent: an exchange ended without a response | – | – | – | → reachable, notify | probe | a longer pause |
/// | resting: its circuit breaker is open | → silent, notify | – | – | good: → reachable, notify | probe | a longer pause |
/// | late: a failure became known after the host had answered | → silent, notify | – | – | – | → reachable, notify | – |
///
/// Any response ends *silent*, whatever its status; *resting* ends with one that counts as a success of the host. A host that fails again soon after it answered begins
/// with a longer pause, so that work which fails again and again is retried ever more seldom. While nobody waits for a host it is not probed.
///
/// Times are those that have gone by since some moment, the same for all events.
struct Reachability: Decision, Sendable {
    struct Event: Sendable {
        let kind: Kind
        let time: Duration
    }

    enum Kind: Sendable {
        /// An exchange ended without a response.
        ///
        /// - Parameter luck: A number drawn evenly from 0..<1.
        case unanswered(RequestMessage, luck: Double)
        /// A request was not sent because the circuit breaker of its host is open for so long.
        case circuitOpen(RequestMessage, for: Duration)
        /// A failure for want of a response has become known to whoever shows it.
        case missed(host: String, luck: Double)
        /// A response has begun.
        case answered(host: String, isGood: Bool)
        /// A probe has ended; nil where the circuit breaker did not hold it back.
        case probed(host: String, retryAfter: Duration?, luck: Double)
        /// - Parameter isWanted: Whether somebody waits for hosts to answer.
        case due(isWanted: Bool)
        /// Probe at once: the network is back, or somebody begins to wait.
        case hurry
    }

    enum Effect: Sendable {
        /// Request something of a host, to find out whether it answers.
        case probe(host: String, RequestMessage)
        /// Report when it is this time, and forget the time requested before.
        case alarm(Duration)
        case notify(ReachabilityChange)
    }

    private enum Reason {
        case silent, resting, late
    }

    private struct Outage {
        var reason: Reason
        /// A request for what failed; nil when none is known.
        var request: RequestMessage?
        var pause: Duration
        /// When the host is probed; nil while it is.
        var due: Duration?
    }

    /// A host that has answered after an outage.
    private struct Recovery {
        var time: Duration
        var pause: Duration
    }

    private let limits: ReachabilityLimits
    private var outages: [String: Outage] = [:]
    private var recoveries: [String: Recovery] = [:]
    private var alarm: Duration?

    init(_ limits: ReachabilityLimits = ReachabilityLimits()) {
        self.limits = limits
    }

    /// Whether nothing is known against a host.
    func isReachable(_ host: String) -> Bool { outages[host] == nil }

    /// Whether every host is reachable, so that an answer is no news.
    var isQuiet: Bool { outages.isEmpty }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        let now = event.time
        switch event.kind {
        case .unanswered(let message, let luck): fail(.silent, message, luck, at: now, &effects)
        case .circuitOpen(let message, let pause): rest(message, for: pause, at: now)
        case .missed(let host, let luck): if outages[host] == nil { begin(.late, host, nil, luck, at: now) }
        case .answered(let host, let isGood): answer(host, isGood, at: now, &effects)
        case .probed(let host, let pause, let luck): probed(host, retryAfter: pause, luck, at: now)
        case .due(let isWanted):
            alarm = nil
            for host in outages.keys.sorted() { ring(host, isWanted, at: now, &effects) }
        case .hurry:
            for host in outages.keys where outages[host]?.due != nil { outages[host]?.due = now }
        }
        setAlarm(&effects)
    }
}

// MARK: - Failures

extension Reachability {
    private mutating func fail(_ reason: Reason, _ message: RequestMessage, _ luck: Double, at now: Duration, _ effects: inout [Effect]) {
        guard let host = message.url.authority else { return }
        if var known = outages[host] {
            guard known.reason != .silent else { return }
            (known.reason, known.request) = (.silent, message.probe)
            outages[host] = known
        } else {
            guard begin(reason, host, message, luck, at: now) else { return }
        }
        effects.append(.notify(ReachabilityChange(host: host, isReachable: false)))
    }

    private mutating func rest(_ message: RequestMessage, for pause: Duration, at now: Duration) {
        guard let host = message.url.authority, outages[host] == nil, begin(.resting, host, message, 0, at: now) else { return }
        outages[host]?.due = now + max(pause, limits.pause)
    }

    @discardableResult
    private mutating func begin(_ reason: Reason, _ host: String, _ message: RequestMessage?, _ luck: Double, at now: Duration) -> Bool {
        guard outages.count < limits.hosts else { return false }
        let last = recoveries[host].flatMap { now - $0.time < limits.calm ? $0.pause : nil }
        let pause = last.map { min(limits.longestPause, $0 * 2) } ?? limits.pause
        outages[host] = Outage(reason: reason, request: message?.probe, pause: pause, due: now + pause * limits.share(luck))
        return true
    }
}

// MARK: - Answers and probes

extension Reachability {
    private mutating func answer(_ host: String, _ isGood: Bool, at now: Duration, _ effects: inout [Effect]) {
        guard let outage = outages[host], outage.reason == .silent || outage.reason == .resting && isGood else { return }
        recover(host, at: now, &effects)
    }

    private mutating func recover(_ host: String, at now: Duration, _ effects: inout [Effect]) {
        guard let outage = outages.removeValue(forKey: host) else { return }
        recoveries = recoveries.filter { now - $0.value.time < limits.calm }
        recoveries[host] = Recovery(time: now, pause: outage.pause)
        effects.append(.notify(ReachabilityChange(host: host, isReachable: true)))
    }

    private mutating func ring(_ host: String, _ isWanted: Bool, at now: Duration, _ effects: inout [Effect]) {
        guard let outage = outages[host], let due = outage.due, due <= now else { return }
        guard let request = outage.request else { return recover(host, at: now, &effects) }
        guard isWanted else {
            outages[host]?.due = now + limits.longestPause
            return
        }
        outages[host]?.due = nil
        effects.append(.probe(host: host, request))
    }

    private mutating func probed(_ host: String, retryAfter: Duration?, _ luck: Double, at now: Duration) {
        guard let outage = outages[host], outage.due == nil else { return }
        let pause = min(limits.longestPause, outage.pause * 2)
        outages[host]?.pause = pause
        outages[host]?.due = now + max(pause * limits.share(luck), retryAfter ?? .zero)
    }

    private mutating func setAlarm(_ effects: inout [Effect]) {
        let next = outages.values.compactMap(\.due).min()
        if let next, next != alarm { effects.append(.alarm(next)) }
        alarm = next
    }
}

extension RequestMessage {
    /// A request for the same resource, without credentials; not all servers know HEAD.
    fileprivate var probe: RequestMessage { RequestMessage(url: url, provenance: provenance, reach: reach) }
}
