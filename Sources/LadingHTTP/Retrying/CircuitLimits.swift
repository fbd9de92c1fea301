/// When a host counts as failing, and for how long it is then left alone.
public struct CircuitLimits: Hashable, Sendable {
    /// How far back outcomes count.
    public var window: Duration
    /// With fewer outcomes than this in the window a host is asked, whatever they were.
    public var leastCount: Int
    /// The share of outcomes, from 0 to 1, that has to be failures for the circuit to open.
    public var failureShare: Double
    /// How long a host is left alone; this doubles each time that a probe fails.
    public var pause: Duration
    /// The longest pause that doubling leads to.
    public var longestPause: Duration
    /// How long the exchange that finds out whether a host works again may be silent before it is taken for lost.
    public var probeTime: Duration

    public init(
        window: Duration = .seconds(30), leastCount: Int = 10, failureShare: Double = 0.5, pause: Duration = .seconds(2),
        longestPause: Duration = .seconds(30), probeTime: Duration = .seconds(60)
    ) {
        precondition(window > .zero && leastCount >= 1 && pause > .zero && longestPause >= pause, "a circuit has a window and a pause")
        self.window = window
        self.leastCount = leastCount
        self.failureShare = failureShare
        self.pause = pause
        self.longestPause = longestPause
        self.probeTime = probeTime
    }
}
