import LadingOperations

/// A scheduling decision as sent to the operations page.
struct OperationEvent: Encodable {
    let number: Int
    /// The time since the creation of the queue, in milliseconds.
    let time: Double
    let operation: String
    let outcome: String
    /// The number of the flight; nil for a cache hit.
    let flight: UInt64?
    let lane: String
    let urgency: String
    /// The distance from the middle of the viewport, in rows.
    let distance: Int
    let consumer: String
    let parent: String?
    let reason: Int

    private enum CodingKeys: String, CodingKey {
        case number, time, operation, outcome, flight, lane, urgency, distance, consumer, parent, reason
    }

    init(_ decision: TracedDecision) {
        number = decision.number
        time = decision.time / .milliseconds(1)
        operation = decision.operation
        outcome = decision.outcome.rawValue
        flight = decision.flight
        lane = decision.lane.name
        urgency = "\(decision.priority.urgency)"
        // Work that belongs to no row has a larger distance than any row.
        distance = min(decision.priority.distance, 1_000_000)
        consumer = "\(decision.consumer)"
        parent = decision.parent
        reason = decision.reason.rawValue
    }
}

/// An update of the operations page.
struct OperationUpdate: Encodable {
    struct LaneUpdate: Encodable {
        let name: String
        let width: Int
        let reserved: Int
        let running: Int
        let waiting: Int
    }

    /// The maximum number of decisions in one update.
    static let limit = 500

    let decisions: [OperationEvent]
    /// The number of decisions that were evicted from the trace before they could be sent.
    let missingCount: Int
    let lanes: [LaneUpdate]

    private enum CodingKeys: String, CodingKey {
        case decisions, lanes
        case missingCount = "missing"
    }

    init(_ decisions: some Sequence<TracedDecision>, missing: Int, lanes: [LaneStatus]) {
        self.decisions = decisions.map { OperationEvent($0) }
        self.missingCount = missing
        self.lanes = lanes.map {
            LaneUpdate(
                name: $0.lane.name, width: $0.limits.width, reserved: $0.limits.reserved, running: $0.running, waiting: $0.waiting)
        }
    }
}
