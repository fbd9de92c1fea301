/// What runs in one lane and what is ready to.
struct LaneState: SlotElement, Sendable {
    let lane: Lane
    let limits: LaneLimits
    var running = 0
    /// How many flights are to run in it, whatever they wait for, those of operations among them that have none yet.
    var flightCount = 0
    var ready = UrgencyQueues()
    private var estimator = ConcurrencyEstimator()

    init(lane: Lane, limits: LaneLimits) {
        self.lane = lane
        self.limits = limits
    }

    mutating func clear() {
        ready = UrgencyQueues()
    }

    /// How many flights may run at once, as far as is known of the line.
    var width: Int { estimator.width(within: limits) }

    /// Whether the lane runs one flight alone because nothing is known of its line.
    var isCold: Bool { estimator.isCold && limits.minimumWidth != nil }

    /// Whether no flight may start, however urgent it is.
    var isFull: Bool { running >= width }

    /// Whether any flight that stands in line may start.
    var hasRoom: Bool { running < width && !ready.isEmpty }

    /// The most urgent of the ready entries that a free slot may be given to, where it stands and whose it is.
    mutating func peek() -> (OperationPriority.Urgency, FairQueue.Entry, OperationConsumer)? {
        ready.peek(includingNonvisible: running < min(limits.slots(for: .prefetch), estimator.prefetchWidth ?? .max))
    }

    /// Lets others start: the work of a flight has ended or failed, or takes too long to wait for.
    mutating func endColdStart() { estimator.endColdStart() }

    /// A transfer that still counts as running has come to its end.
    mutating func record(_ sample: ConcurrencyEstimator.Sample) {
        estimator.record(sample, running: max(1, running), limits: limits)
    }
}
