/// The limits of a circuit breaker.
public struct CircuitLimits: Hashable, Sendable {
    package var window: Duration
    package var minimumOutcomes: Int
    package var failureRateThreshold: Double
    package var openDuration: Duration
    package var openDurationLimit: Duration
    package var probeTimeout: Duration

    /// Creates the limits.
    ///
    /// - Parameters:
    ///   - window: The duration for which an outcome counts.
    ///   - minimumOutcomes: The minimum number of outcomes in the window for the circuit to open.
    ///   - failureRateThreshold: The share of failures among the outcomes, from 0 to 1, for the circuit to open.
    ///   - openDuration: The duration of the open state; it doubles with each failed probe.
    ///   - openDurationLimit: The maximum duration of the open state.
    ///   - probeTimeout: The duration after which a probe without a response counts as lost.
    public init(
        window: Duration = .seconds(30), minimumOutcomes: Int = 10, failureRateThreshold: Double = 0.5,
        openDuration: Duration = .seconds(2),
        openDurationLimit: Duration = .seconds(30), probeTimeout: Duration = .seconds(60)
    ) {
        precondition(
            window > .zero && minimumOutcomes >= 1 && openDuration > .zero && openDurationLimit >= openDuration,
            "the window, outcomes and open duration of a circuit must be positive, and the limit at least the open duration")
        self.window = window
        self.minimumOutcomes = minimumOutcomes
        self.failureRateThreshold = failureRateThreshold
        self.openDuration = openDuration
        self.openDurationLimit = openDurationLimit
        self.probeTimeout = probeTimeout
    }
}
