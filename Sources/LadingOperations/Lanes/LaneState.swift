/// The running and ready flights of one lane.
struct LaneState: SlotElement, Sendable {
    let lane: Lane
    let limits: LaneLimits
    var running = 0
    /// The number of flights in the lane in any phase, including queued operations without a flight.
    var flightCount = 0
    var ready = UrgencyQueues()
    private var concurrency = AdaptiveConcurrency()

    init(lane: Lane, limits: LaneLimits) {
        self.lane = lane
        self.limits = limits
    }

    mutating func clear() {
        ready = UrgencyQueues()
    }

    /// The number of flights that may run at once, as far as the link is known.
    var width: Int { concurrency.width(within: limits) }

    /// Whether the lane runs a single flight because nothing is known of its link.
    var isCold: Bool { concurrency.isCold && limits.minimumWidth != nil }

    /// Whether a ready flight may start.
    var hasRoom: Bool { running < width && !ready.isEmpty }

    /// Returns the highest-priority entry that may occupy a free slot, with its urgency and consumer.
    mutating func peek() -> (OperationPriority.Urgency, FairQueue.Entry, OperationConsumer)? {
        ready.peek(includingNonvisible: running < min(limits.slots(for: .prefetch), concurrency.prefetchWidth ?? .max))
    }

    /// Ends the cold start after work has ended or failed, or has run for too long.
    mutating func endColdStart() { concurrency.endColdStart() }

    /// Records the sample of a completed transfer, which still counts as running.
    mutating func record(_ sample: AdaptiveConcurrency.Sample) {
        concurrency.record(sample, running: running, limits: limits)
    }
}
