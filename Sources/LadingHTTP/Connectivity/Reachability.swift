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
/// A notification that a host is reachable retries what failed because of it. Two of them have a minimum distance, which doubles with each one up to `retryBackoffWindow`, until the
/// host has had no failure for that long; a host that answers sooner is late until then. So work that can never succeed is retried ever more seldom. A response that
/// counts as a failure of the host is a reason to be late only after another notification, and only while the distance is shorter than `retryBackoffWindow`.
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
        case noResponse(RequestMessage, jitter: Double)
        /// A request was not sent because the circuit breaker of its host is open for so long.
        case circuitOpen(RequestMessage, retryAfter: Duration)
        /// A failure of a host that answers has become known.
        ///
        /// - Parameter isAnswered: Whether the failure is a whole response, and not the lack of one.
        case failureReported(host: String, hasResponse: Bool, jitter: Double)
        /// A response has begun.
        case responded(host: String, isHealthy: Bool)
        /// A probe has ended; nil where the circuit breaker did not hold it back.
        case probeEnded(host: String, retryAfter: Duration?, jitter: Double)
        /// - Parameter isWanted: Whether somebody waits for hosts to answer.
        case timerFired(hasWaiters: Bool)
        /// Probe at once: the network is back, or somebody begins to wait.
        case probeNow
    }

    enum Effect: Sendable {
        /// Request something of a host, to find out whether it answers.
        case probe(host: String, RequestMessage)
        /// Report when it is this time, and forget the time requested before.
        case scheduleTimer(Duration)
        case notify(ReachabilityChange)
    }

    private enum Reason {
        case unresponsive, unhealthy, awaitingRetry
    }

    private struct Outage {
        var reason: Reason
        /// A request for what failed; nil when none is known.
        var request: RequestMessage?
        var probeDelay: Duration
        /// When the host is probed; nil while it is.
        var nextProbe: Duration?
        /// The time before which no hurry probes it.
        var earliestProbe: Duration
    }

    /// The notifications that a host is reachable, of which each followed soon after the one before.
    private struct RetrySeries {
        /// The time of the last one.
        var lastRetry: Duration
        /// The minimum distance between the last one and the next.
        var minimumInterval: Duration

        var earliestNext: Duration { lastRetry + minimumInterval }
    }

    private let limits: ReachabilityLimits
    private var outages: [String: Outage] = [:]
    private var retries: [String: RetrySeries] = [:]
    private var timerDeadline: Duration?

    init(_ limits: ReachabilityLimits = ReachabilityLimits()) {
        self.limits = limits
    }

    /// Whether a host answers, as far as is known.
    func isReachable(_ host: String) -> Bool { outages[host]?.reason != .unresponsive }

    /// Whether nothing is known against any host, so that an answer changes nothing.
    var hasNoOutages: Bool { outages.isEmpty }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        let now = event.time
        switch event.kind {
        case .noResponse(let message, let luck): handleNoResponse(message, luck, at: now, &effects)
        case .circuitOpen(let message, let pause): handleOpenCircuit(message, for: pause, at: now)
        case .failureReported(let host, let isAnswered, let luck): handleReportedFailure(host, isAnswered, luck, at: now)
        case .responded(let host, let isGood): handleResponse(host, isGood, at: now, &effects)
        case .probeEnded(let host, let pause, let luck): handleProbeEnd(host, retryAfter: pause, luck, at: now)
        case .timerFired(let isWanted):
            timerDeadline = nil
            for host in outages.keys.sorted() { handleTimer(host, isWanted, at: now, &effects) }
        case .probeNow: expediteProbes(at: now)
        }
        updateTimer(&effects)
    }
}

// MARK: - Failures

extension Reachability {
    private mutating func handleNoResponse(_ message: RequestMessage, _ jitter: Double, at now: Duration, _ effects: inout [Effect]) {
        guard let host = message.url.authority else { return }
        switch outages[host]?.reason {
        case .unresponsive: return
        case .unhealthy:
            outages[host]?.reason = .unresponsive
            outages[host]?.request = message.probe
        case .awaitingRetry, nil:
            outages[host] = nil
            guard beginOutage(.unresponsive, host, message, jitter, at: now) else { return }
        }
        effects.append(.notify(ReachabilityChange(host: host, isReachable: false)))
    }

    private mutating func handleOpenCircuit(_ message: RequestMessage, for pause: Duration, at now: Duration) {
        guard let host = message.url.authority, outages[host] == nil, beginOutage(.unhealthy, host, message, 0, at: now) else { return }
        let end = now + max(pause, limits.initialProbeDelay)
        outages[host]?.nextProbe = end
        outages[host]?.earliestProbe = end
    }

    private mutating func handleReportedFailure(_ host: String, _ hasResponse: Bool, _ jitter: Double, at now: Duration) {
        guard outages[host] == nil, !hasResponse || wasRecentlyRetried(host, at: now), beginOutage(.awaitingRetry, host, nil, jitter, at: now) else { return }
        outages[host]?.nextProbe = max(now + limits.initialProbeDelay * limits.delayFraction(jitter), retries[host]?.earliestNext ?? now)
    }

    /// Whether what failed because of a host was retried a short time ago, and not often yet.
    private func wasRecentlyRetried(_ host: String, at now: Duration) -> Bool {
        retries[host].map { now - $0.lastRetry < limits.retryBackoffWindow && $0.minimumInterval < limits.retryBackoffWindow } ?? false
    }

    private mutating func beginOutage(_ reason: Reason, _ host: String, _ message: RequestMessage?, _ jitter: Double, at now: Duration) -> Bool {
        guard outages.count < limits.hostLimit else { return false }
        if let series = retries[host], now - series.lastRetry >= limits.retryBackoffWindow { retries[host] = nil }
        let pause = min(limits.probeDelayLimit, retries[host]?.minimumInterval ?? limits.initialProbeDelay)
        outages[host] = Outage(
            reason: reason, request: message?.probe, probeDelay: pause, nextProbe: now + pause * limits.delayFraction(jitter), earliestProbe: now + limits.initialProbeDelay)
        return true
    }
}

// MARK: - Answers and probes

extension Reachability {
    private mutating func handleResponse(_ host: String, _ isHealthy: Bool, at now: Duration, _ effects: inout [Effect]) {
        switch (outages[host]?.reason, isHealthy) {
        case (.unresponsive, true), (.unhealthy, true): recover(host, at: now, &effects)
        case (.unresponsive, false):
            // A good answer retries the work that failed with this one.
            outages[host]?.reason = .unhealthy
            if retries[host]?.earliestNext ?? now <= now { notifyReachable(host, at: now, &effects) }
        default: break
        }
    }

    private mutating func recover(_ host: String, at now: Duration, _ effects: inout [Effect]) {
        if let next = retries[host]?.earliestNext, next > now {
            outages[host]?.reason = .awaitingRetry
            outages[host]?.request = nil
            outages[host]?.nextProbe = next
        } else {
            outages[host] = nil
            notifyReachable(host, at: now, &effects)
        }
    }

    private mutating func notifyReachable(_ host: String, at now: Duration, _ effects: inout [Effect]) {
        let pause = retries[host]?.minimumInterval ?? limits.initialProbeDelay
        retries = retries.filter { outages[$0.key] != nil || now - $0.value.lastRetry < limits.retryBackoffWindow }
        retries[host] = RetrySeries(lastRetry: now, minimumInterval: min(limits.retryBackoffWindow, pause * 2))
        effects.append(.notify(ReachabilityChange(host: host, isReachable: true)))
    }

    private mutating func handleTimer(_ host: String, _ hasWaiters: Bool, at now: Duration, _ effects: inout [Effect]) {
        guard let outage = outages[host], let due = outage.nextProbe, due <= now else { return }
        guard let request = outage.request else { return recover(host, at: now, &effects) }
        guard hasWaiters else {
            outages[host]?.nextProbe = now + limits.probeDelayLimit
            return
        }
        outages[host]?.nextProbe = nil
        effects.append(.probe(host: host, request))
    }

    private mutating func handleProbeEnd(_ host: String, retryAfter: Duration?, _ jitter: Double, at now: Duration) {
        guard let outage = outages[host], outage.nextProbe == nil else { return }
        let pause = min(limits.probeDelayLimit, outage.probeDelay * 2)
        outages[host]?.probeDelay = pause
        outages[host]?.nextProbe = now + max(pause * limits.delayFraction(jitter), retryAfter ?? .zero)
        outages[host]?.earliestProbe = now + max(limits.initialProbeDelay, retryAfter ?? .zero)
    }

    private mutating func expediteProbes(at now: Duration) {
        for (host, outage) in outages where outage.reason != .awaitingRetry {
            guard let due = outage.nextProbe else { continue }
            outages[host]?.nextProbe = min(due, max(now, outage.earliestProbe))
        }
    }

    private mutating func updateTimer(_ effects: inout [Effect]) {
        let next = outages.values.compactMap(\.nextProbe).min()
        if let next, next != timerDeadline { effects.append(.scheduleTimer(next)) }
        timerDeadline = next
    }
}

extension RequestMessage {
    /// A request for the same resource, without credentials; not all servers know HEAD.
    fileprivate var probe: RequestMessage { RequestMessage(url: url, trust: trust, addressPolicy: addressPolicy) }
}
