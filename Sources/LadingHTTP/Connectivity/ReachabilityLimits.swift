/// The limits of a `ReachabilityMonitor`.
public struct ReachabilityLimits: Hashable, Sendable {
    package var initialProbeDelay: Duration
    package var probeDelayLimit: Duration
    package var retryBackoffWindow: Duration
    package var probeTimeout: Duration
    package var hostLimit: Int

    /// Creates the limits.
    ///
    /// - Parameters:
    ///   - initialProbeDelay: The delay before the first probe of a host; it doubles with each probe without a response.
    ///   - probeDelayLimit: The maximum delay between two probes.
    ///   - retryBackoffWindow: The time after a retry in which another failure doubles the interval to the next retry; also the maximum of that
    ///     interval.
    ///   - probeTimeout: The maximum duration of a probe.
    ///   - hostLimit: The maximum number of failed hosts at a time; others count as reachable.
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
