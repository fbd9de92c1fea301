/// The bounds of what is known of hosts that do not answer.
public struct ReachabilityLimits: Hashable, Sendable {
    /// How long a host is left alone before the first probe; this doubles with each probe that is not answered.
    public var pause: Duration
    /// The longest pause that doubling leads to.
    public var longestPause: Duration
    /// How long after an answer another failure belongs to the same outage, and begins with a longer pause.
    public var calm: Duration
    /// How long a probe may take.
    public var probeTime: Duration
    /// How many hosts are watched at once; others count as reachable.
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

/// A host that has stopped answering, or answers again.
public struct ReachabilityChange: Hashable, Sendable {
    /// Its name and port, as `URL.authority` has them: `example.org:8080`.
    public let host: String
    public let isReachable: Bool
}
