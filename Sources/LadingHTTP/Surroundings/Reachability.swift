import LadingOperations

/// Decides which hosts count as out of reach, when they are probed, and when work that failed because of them is retried. A synchronous value.
///
/// | a host is | unanswered | circuitOpen | missed | answered | due | probed |
/// |---|---|---|---|---|---|---|
/// | reachable | → silent, notify | → resting | → late | – | – | – |
/// | silent: an exchange ended without a response | – | – | – | good: → reachable, notify; others: → resting, notify | probe | a longer pause |
/// | resting: its circuit breaker is open, or it answers with failures | → silent, notify | – | – | good: → reachable, notify | probe | a longer pause |
/// | late: it answers, and the next retry has to wait | → silent, notify | – | – | – | → reachable, notify | – |
///
/// A notification that a host is reachable retries what failed because of it. Two of them have a minimum distance, which doubles with each one up to `calm`, until the
/// host has had no failure for that long; a host that answers sooner is late until then. So work that can never succeed is retried ever more seldom. A response that
/// counts as a failure of the host is a reason to be late only after another notification, and only while the distance is shorter than `calm`.
///
/// While nobody waits for a host it is not probed.
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
        /// A failure of a host that answers has become known.
        ///
        /// - Parameter isAnswered: Whether the failure is a whole response, and not the lack of one.
        case missed(host: String, isAnswered: Bool, luck: Double)
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
        /// The time before which no hurry probes it.
        var earliestProbe: Duration
    }

    /// The notifications that a host is reachable, of which each followed soon after the one before.
    private struct RetrySeries {
        /// The time of the last one.
        var last: Duration
        /// The minimum distance between the last one and the next.
        var pause: Duration

        var next: Duration { last + pause }
    }

    private let limits: ReachabilityLimits
    private var outages: [String: Outage] = [:]
    private var retries: [String: RetrySeries] = [:]
    private var alarm: Duration?

    init(_ limits: ReachabilityLimits = ReachabilityLimits()) {
        self.limits = limits
    }

    /// Whether a host answers, as far as is known.
    func isReachable(_ host: String) -> Bool { outages[host]?.reason != .silent }

    /// Whether nothing is known against any host, so that an answer changes nothing.
    var isQuiet: Bool { outages.isEmpty }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        let now = event.time
        switch event.kind {
        case .unanswered(let message, let luck): fail(message, luck, at: now, &effects)
        case .circuitOpen(let message, let pause): rest(message, for: pause, at: now)
        case .missed(let host, let isAnswered, let luck): miss(host, isAnswered, luck, at: now)
        case .answered(let host, let isGood): answer(host, isGood, at: now, &effects)
        case .probed(let host, let pause, let luck): probed(host, retryAfter: pause, luck, at: now)
        case .due(let isWanted):
            alarm = nil
            for host in outages.keys.sorted() { ring(host, isWanted, at: now, &effects) }
        case .hurry: hurry(at: now)
        }
        setAlarm(&effects)
    }
}

// MARK: - Failures

extension Reachability {
    private mutating func fail(_ message: RequestMessage, _ luck: Double, at now: Duration, _ effects: inout [Effect]) {
        guard let host = message.url.authority else { return }
        switch outages[host]?.reason {
        case .silent: return
        case .resting:
            outages[host]?.reason = .silent
            outages[host]?.request = message.probe
        case .late, nil:
            outages[host] = nil
            guard begin(.silent, host, message, luck, at: now) else { return }
        }
        effects.append(.notify(ReachabilityChange(host: host, isReachable: false)))
    }

    private mutating func rest(_ message: RequestMessage, for pause: Duration, at now: Duration) {
        guard let host = message.url.authority, outages[host] == nil, begin(.resting, host, message, 0, at: now) else { return }
        let end = now + max(pause, limits.pause)
        outages[host]?.due = end
        outages[host]?.earliestProbe = end
    }

    private mutating func miss(_ host: String, _ isAnswered: Bool, _ luck: Double, at now: Duration) {
        guard outages[host] == nil, !isAnswered || isRetried(host, at: now), begin(.late, host, nil, luck, at: now) else { return }
        outages[host]?.due = max(now + limits.pause * limits.share(luck), retries[host]?.next ?? now)
    }

    /// Whether what failed because of a host was retried a short time ago, and not often yet.
    private func isRetried(_ host: String, at now: Duration) -> Bool {
        retries[host].map { now - $0.last < limits.calm && $0.pause < limits.calm } ?? false
    }

    private mutating func begin(_ reason: Reason, _ host: String, _ message: RequestMessage?, _ luck: Double, at now: Duration) -> Bool {
        guard outages.count < limits.hosts else { return false }
        if let series = retries[host], now - series.last >= limits.calm { retries[host] = nil }
        let pause = min(limits.longestPause, retries[host]?.pause ?? limits.pause)
        outages[host] = Outage(
            reason: reason, request: message?.probe, pause: pause, due: now + pause * limits.share(luck), earliestProbe: now + limits.pause)
        return true
    }
}

// MARK: - Answers and probes

extension Reachability {
    private mutating func answer(_ host: String, _ isGood: Bool, at now: Duration, _ effects: inout [Effect]) {
        switch (outages[host]?.reason, isGood) {
        case (.silent, true), (.resting, true): recover(host, at: now, &effects)
        case (.silent, false):
            // A good answer retries the work that failed with this one.
            outages[host]?.reason = .resting
            if retries[host]?.next ?? now <= now { notifyReachable(host, at: now, &effects) }
        default: break
        }
    }

    private mutating func recover(_ host: String, at now: Duration, _ effects: inout [Effect]) {
        if let next = retries[host]?.next, next > now {
            outages[host]?.reason = .late
            outages[host]?.request = nil
            outages[host]?.due = next
        } else {
            outages[host] = nil
            notifyReachable(host, at: now, &effects)
        }
    }

    private mutating func notifyReachable(_ host: String, at now: Duration, _ effects: inout [Effect]) {
        let pause = retries[host]?.pause ?? limits.pause
        retries = retries.filter { outages[$0.key] != nil || now - $0.value.last < limits.calm }
        retries[host] = RetrySeries(last: now, pause: min(limits.calm, pause * 2))
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
        outages[host]?.earliestProbe = now + max(limits.pause, retryAfter ?? .zero)
    }

    private mutating func hurry(at now: Duration) {
        for (host, outage) in outages where outage.reason != .late {
            guard let due = outage.due else { continue }
            outages[host]?.due = min(due, max(now, outage.earliestProbe))
        }
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
