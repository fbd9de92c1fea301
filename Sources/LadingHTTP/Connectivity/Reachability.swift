import Decisions

/// The decisions about unreachable hosts: when they are probed, and when the work that failed because of them is retried. A synchronous value.
///
/// | host | noResponse | circuitOpen | failureReported | responded | timerFired | probeEnded |
/// |---|---|---|---|---|---|---|
/// | reachable | → unresponsive, notify | → unhealthy | → awaitingRetry | – | – | – |
/// | unresponsive: an exchange had no response | – | – | – | healthy: → reachable, notify; others: → unhealthy, notify | probe | longer delay |
/// | unhealthy: open circuit, or failing responses | → unresponsive, notify | – | – | healthy: → reachable, notify | probe | longer delay |
/// | awaitingRetry: it responds, but the next retry is not due | → unresponsive, notify | – | – | – | → reachable, notify | – |
///
/// A notification that a host is reachable retries the work that failed because of it. The minimum interval between notifications doubles with each
/// one up to `retryBackoffWindow`, and is reset once the host has not failed for that long; a host that responds earlier is `awaitingRetry` until
/// then. Work that can never succeed is thus retried at growing intervals. A failure with a response leads to `awaitingRetry` only after another
/// notification, and only while the interval is shorter than `retryBackoffWindow`.
///
/// A host without waiters is not probed. `probingStarted` is `timerFired`, after probes that were never sent have become due again.
///
/// All times are measured from the same starting point.
struct Reachability: Decision, Sendable {
    struct Event: Sendable {
        let kind: Kind
        let time: Duration
    }

    enum Kind: Sendable {
        /// An exchange ended without a response.
        ///
        /// - Parameter jitter: A random number in 0..<1.
        case noResponse(RequestMessage, jitter: Double)
        /// A request was not sent because the circuit breaker of its host stays open for the given time.
        case circuitOpen(RequestMessage, retryAfter: Duration)
        /// A consumer has reported a failure of a host.
        ///
        /// - Parameter hasResponse: Whether the failure is a complete response.
        case failureReported(host: String, hasResponse: Bool, jitter: Double)
        /// A response began.
        case responded(host: String, isHealthy: Bool)
        /// A probe ended; `retryAfter` is nil unless the circuit breaker rejected it.
        case probeEnded(host: String, retryAfter: Duration?, jitter: Double)
        /// The scheduled timer has fired.
        ///
        /// - Parameter hasWaiters: Whether consumers wait for hosts to respond.
        case timerFired(hasWaiters: Bool)
        /// Effects are performed from now on: no probe is in progress, and no timer is set.
        ///
        /// - Parameter hasWaiters: Whether consumers wait for hosts to respond.
        case probingStarted(hasWaiters: Bool)
        /// Hosts are to be probed at once: the network is back, or a consumer has begun to wait.
        case probeNow
    }

    enum Effect: Sendable {
        /// Send a request to a host, to find out whether it responds.
        case probe(host: String, RequestMessage)
        /// Set the timer to this time, in place of the previous one.
        case scheduleTimer(Duration)
        case notify(ReachabilityChange)
    }

    private enum Reason {
        case unresponsive, unhealthy, awaitingRetry
    }

    private struct FailedHost {
        var reason: Reason
        /// The request for the resource that failed; nil when none is known.
        var request: RequestMessage?
        var probeDelay: Duration
        /// The time of the next probe; nil during a probe.
        var nextProbe: Duration?
        /// The earliest time of a probe after `probeNow`.
        var earliestProbe: Duration
    }

    /// A series of notifications that a host is reachable, each soon after the one before.
    private struct RetrySequence {
        /// The time of the last one.
        var lastRetry: Duration
        /// The minimum interval between the last one and the next.
        var minimumInterval: Duration

        var earliestNext: Duration { lastRetry + minimumInterval }
    }

    private let limits: ReachabilityLimits
    private var failedHosts: [String: FailedHost] = [:]
    private var retries: [String: RetrySequence] = [:]
    private var timerDeadline: Duration?

    init(_ limits: ReachabilityLimits = ReachabilityLimits()) {
        self.limits = limits
    }

    /// Whether a host responds, as far as is known.
    func isReachable(_ host: String) -> Bool { failedHosts[host]?.reason != .unresponsive }

    /// Whether no host has failed, so that a response changes nothing.
    var hasNoFailedHosts: Bool { failedHosts.isEmpty }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        let now = event.time
        switch event.kind {
        case .noResponse(let message, let jitter): handleNoResponse(message, jitter, at: now, &effects)
        case .circuitOpen(let message, let pause): handleOpenCircuit(message, for: pause, at: now)
        case .failureReported(let host, let hasResponse, let jitter): handleReportedFailure(host, hasResponse, jitter, at: now)
        case .responded(let host, let isHealthy): handleResponse(host, isHealthy, at: now, &effects)
        case .probeEnded(let host, let pause, let jitter): handleProbeEnd(host, retryAfter: pause, jitter, at: now)
        case .timerFired(let hasWaiters): handleTimer(hasWaiters, at: now, &effects)
        case .probingStarted(let hasWaiters):
            for (host, failedHost) in failedHosts where failedHost.nextProbe == nil { failedHosts[host]?.nextProbe = now }
            handleTimer(hasWaiters, at: now, &effects)
        case .probeNow: advanceProbes(at: now)
        }
        updateTimer(&effects)
    }
}

// MARK: - Failures

extension Reachability {
    private mutating func handleNoResponse(_ message: RequestMessage, _ jitter: Double, at now: Duration, _ effects: inout [Effect]) {
        guard let host = message.url.authority else { return }
        switch failedHosts[host]?.reason {
        case .unresponsive: return
        case .unhealthy:
            failedHosts[host]?.reason = .unresponsive
            failedHosts[host]?.request = message.probe
        case .awaitingRetry, nil:
            failedHosts[host] = nil
            guard addFailedHost(.unresponsive, host, message, jitter, at: now) else { return }
        }
        effects.append(.notify(ReachabilityChange(host: host, isReachable: false)))
    }

    private mutating func handleOpenCircuit(_ message: RequestMessage, for pause: Duration, at now: Duration) {
        guard let host = message.url.authority, failedHosts[host] == nil, addFailedHost(.unhealthy, host, message, 0, at: now) else {
            return
        }
        let end = now + max(pause, limits.initialProbeDelay)
        failedHosts[host]?.nextProbe = end
        failedHosts[host]?.earliestProbe = end
    }

    private mutating func handleReportedFailure(_ host: String, _ hasResponse: Bool, _ jitter: Double, at now: Duration) {
        guard failedHosts[host] == nil, !hasResponse || hasRecentRetry(host, at: now),
            addFailedHost(.awaitingRetry, host, nil, jitter, at: now)
        else { return }
        failedHosts[host]?.nextProbe = max(
            now + limits.initialProbeDelay * limits.delayFraction(jitter), retries[host]?.earliestNext ?? now)
    }

    /// Whether the work that failed because of a host was retried recently, and not often.
    private func hasRecentRetry(_ host: String, at now: Duration) -> Bool {
        retries[host].map { now - $0.lastRetry < limits.retryBackoffWindow && $0.minimumInterval < limits.retryBackoffWindow } ?? false
    }

    private mutating func addFailedHost(_ reason: Reason, _ host: String, _ message: RequestMessage?, _ jitter: Double, at now: Duration)
        -> Bool
    {
        guard failedHosts.count < limits.hostLimit else { return false }
        if let series = retries[host], now - series.lastRetry >= limits.retryBackoffWindow { retries[host] = nil }
        let pause = min(limits.probeDelayLimit, retries[host]?.minimumInterval ?? limits.initialProbeDelay)
        failedHosts[host] = FailedHost(
            reason: reason, request: message?.probe, probeDelay: pause, nextProbe: now + pause * limits.delayFraction(jitter),
            earliestProbe: now + limits.initialProbeDelay)
        return true
    }
}

// MARK: - Responses and probes

extension Reachability {
    private mutating func handleResponse(_ host: String, _ isHealthy: Bool, at now: Duration, _ effects: inout [Effect]) {
        switch (failedHosts[host]?.reason, isHealthy) {
        case (.unresponsive, true), (.unhealthy, true): recover(host, at: now, &effects)
        case (.unresponsive, false):
            // A healthy response retries the work that failed with this one.
            failedHosts[host]?.reason = .unhealthy
            if retries[host]?.earliestNext ?? now <= now { notifyReachable(host, at: now, &effects) }
        default: break
        }
    }

    private mutating func recover(_ host: String, at now: Duration, _ effects: inout [Effect]) {
        if let next = retries[host]?.earliestNext, next > now {
            failedHosts[host]?.reason = .awaitingRetry
            failedHosts[host]?.request = nil
            failedHosts[host]?.nextProbe = next
        } else {
            failedHosts[host] = nil
            notifyReachable(host, at: now, &effects)
        }
    }

    private mutating func notifyReachable(_ host: String, at now: Duration, _ effects: inout [Effect]) {
        let pause = retries[host]?.minimumInterval ?? limits.initialProbeDelay
        retries = retries.filter { failedHosts[$0.key] != nil || now - $0.value.lastRetry < limits.retryBackoffWindow }
        retries[host] = RetrySequence(lastRetry: now, minimumInterval: min(limits.retryBackoffWindow, pause * 2))
        effects.append(.notify(ReachabilityChange(host: host, isReachable: true)))
    }

    private mutating func handleTimer(_ hasWaiters: Bool, at now: Duration, _ effects: inout [Effect]) {
        timerDeadline = nil
        for host in failedHosts.keys.sorted() { handleTimer(host, hasWaiters, at: now, &effects) }
    }

    private mutating func handleTimer(_ host: String, _ hasWaiters: Bool, at now: Duration, _ effects: inout [Effect]) {
        guard let failedHost = failedHosts[host], let due = failedHost.nextProbe, due <= now else { return }
        guard let request = failedHost.request else { return recover(host, at: now, &effects) }
        guard hasWaiters else {
            failedHosts[host]?.nextProbe = now + limits.probeDelayLimit
            return
        }
        failedHosts[host]?.nextProbe = nil
        effects.append(.probe(host: host, request))
    }

    private mutating func handleProbeEnd(_ host: String, retryAfter: Duration?, _ jitter: Double, at now: Duration) {
        guard let failedHost = failedHosts[host], failedHost.nextProbe == nil else { return }
        let pause = min(limits.probeDelayLimit, failedHost.probeDelay * 2)
        failedHosts[host]?.probeDelay = pause
        failedHosts[host]?.nextProbe = now + max(pause * limits.delayFraction(jitter), retryAfter ?? .zero)
        failedHosts[host]?.earliestProbe = now + max(limits.initialProbeDelay, retryAfter ?? .zero)
    }

    private mutating func advanceProbes(at now: Duration) {
        for (host, failedHost) in failedHosts where failedHost.reason != .awaitingRetry {
            guard let due = failedHost.nextProbe else { continue }
            failedHosts[host]?.nextProbe = min(due, max(now, failedHost.earliestProbe))
        }
    }

    private mutating func updateTimer(_ effects: inout [Effect]) {
        let next = failedHosts.values.compactMap(\.nextProbe).min()
        if let next, next != timerDeadline { effects.append(.scheduleTimer(next)) }
        timerDeadline = next
    }
}

extension RequestMessage {
    /// A request for the same resource without credentials, and not with HEAD, which not all servers support.
    fileprivate var probe: RequestMessage { RequestMessage(url: url, trust: trust, addressPolicy: addressPolicy) }
}
