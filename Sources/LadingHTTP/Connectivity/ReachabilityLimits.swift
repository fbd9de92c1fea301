/// The limits of a `ReachabilityMonitor`.
public struct ReachabilityLimits: Hashable, Sendable {
    /// The delay before the first probe of a host; it doubles with each probe without a response.
    public var initialProbeDelay: Duration
    /// The maximum delay between two probes.
    public var probeDelayLimit: Duration
    /// The time after a retry in which another failure doubles the interval to the next retry; also the maximum of that interval.
    public var retryBackoffWindow: Duration
    /// The maximum duration of a probe.
    public var probeTimeout: Duration
    /// The maximum number of hosts with an outage at a time; others count as reachable.
    public var hostLimit: Int

    public init(
        initialProbeDelay: Duration = .seconds(1), probeDelayLimit: Duration = .seconds(8), retryBackoffWindow: Duration = .seconds(30),
        probeTimeout: Duration = .seconds(10), hostLimit: Int = 64
    ) {
        precondition(
            initialProbeDelay > .zero && probeDelayLimit >= initialProbeDelay && probeTimeout > .zero && hostLimit >= 1,
            "the probe delay, the timeout and the host limit must be positive, and the delay limit at least the initial delay")
        self.initialProbeDelay = initialProbeDelay
        self.probeDelayLimit = probeDelayLimit
        self.retryBackoffWindow = retryBackoffWindow
        self.probeTimeout = probeTimeout
        self.hostLimit = hostLimit
    }

    /// Returns the fraction of a delay to wait: from a half to all of it, so that clients do not return together.
    func delayFraction(_ jitter: Double) -> Double { 0.5 + jitter / 2 }
}
