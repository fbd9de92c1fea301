/// When a host counts as failing, and for how long it is then left alone.
public struct CircuitLimits: Hashable, Sendable {
    /// How far back outcomes count.
    public var window: Duration
    /// With fewer outcomes than this in the window a host is asked, whatever they were.
    public var minimumOutcomes: Int
    /// The share of outcomes, from 0 to 1, that has to be failures for the circuit to open.
    public var failureRateThreshold: Double
    /// How long a host is left alone; this doubles each time that a probe fails.
    public var openDuration: Duration
    /// The longest pause that doubling leads to.
    public var openDurationLimit: Duration
    /// How long the exchange that finds out whether a host works again may be silent before it is taken for lost.
    public var probeTimeout: Duration

    public init(
        window: Duration = .seconds(30), minimumOutcomes: Int = 10, failureRateThreshold: Double = 0.5, openDuration: Duration = .seconds(2),
        openDurationLimit: Duration = .seconds(30), probeTimeout: Duration = .seconds(60)
    ) {
        precondition(window > .zero && minimumOutcomes >= 1 && openDuration > .zero && openDurationLimit >= openDuration, "a circuit has a window and a pause")
        self.window = window
        self.minimumOutcomes = minimumOutcomes
        self.failureRateThreshold = failureRateThreshold
        self.openDuration = openDuration
        self.openDurationLimit = openDurationLimit
        self.probeTimeout = probeTimeout
    }
}
