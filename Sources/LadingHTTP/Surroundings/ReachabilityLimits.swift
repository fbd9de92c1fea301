/// The limits of a `ReachabilityMonitor`.
public struct ReachabilityLimits: Hashable, Sendable {
    /// The pause before the first probe of a host; it doubles with each probe that is not answered.
    public var pause: Duration
    /// The maximum pause between two probes.
    public var longestPause: Duration
    /// The time after a retry in which another failure makes the pause before the next retry longer; also the maximum of that pause.
    public var calm: Duration
    /// The maximum duration of a probe.
    public var probeTime: Duration
    /// The maximum number of hosts that are watched at once; others count as reachable.
    public var hosts: Int

    public init(
        pause: Duration = .seconds(1), longestPause: Duration = .seconds(8), calm: Duration = .seconds(30),
        probeTime: Duration = .seconds(10), hosts: Int = 64
    ) {
        precondition(pause > .zero && longestPause >= pause && probeTime > .zero && hosts >= 1, "a host is probed after a pause")
        self.pause = pause
        self.longestPause = longestPause
        self.calm = calm
        self.probeTime = probeTime
        self.hosts = hosts
    }

    /// The part of a pause that is waited: from a half to all of it, so that clients do not return together.
    func share(_ luck: Double) -> Double { 0.5 + luck / 2 }
}
