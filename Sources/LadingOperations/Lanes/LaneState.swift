/// What runs in one lane and what is ready to.
struct LaneState: SlotElement, Sendable {
    let lane: Lane
    let limits: LaneLimits
    var running = 0
    /// How many flights are to run in it, whatever they wait for.
    var flightCount = 0
    var ready = UrgencyLines()

    init(lane: Lane, limits: LaneLimits) {
        self.lane = lane
        self.limits = limits
    }

    mutating func vacate() {
        ready = UrgencyLines()
    }

    /// Whether any flight that stands in line may start.
    var hasRoom: Bool { running < limits.width && !ready.isEmpty }

    /// The most urgent of the ready entries that a free slot may be given to.
    mutating func next() -> (OperationPriority.Urgency, FairQueue.Entry)? {
        ready.next(withUnseen: running < limits.slots(for: .prefetch))
    }
}
