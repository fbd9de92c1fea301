import LadingOperations

/// A decision as the page of operations is told it.
struct OperationEvent: Encodable {
    let number: Int
    /// Since the queue was made, in milliseconds.
    let time: Double
    let operation: String
    let outcome: String
    /// Nil when nothing has to be done.
    let flight: UInt64?
    let lane: String
    let urgency: String
    /// In rows from the middle of the screen.
    let distance: Int
    let consumer: String
    let parent: String?
    let reason: Int

    private enum CodingKeys: String, CodingKey {
        case number, time, operation, outcome, flight, lane, urgency, distance, parent
        case consumer = "viewer"
        case reason = "law"
    }

    init(_ decision: TracedDecision) {
        number = decision.number
        time = decision.time / .milliseconds(1)
        operation = decision.operation
        outcome = decision.outcome.rawValue
        flight = decision.flight
        lane = decision.lane.name
        urgency = "\(decision.priority.urgency)"
        // What nobody asks for lies farther away than any row.
        distance = min(decision.priority.distance, 1_000_000)
        consumer = "\(decision.consumer)"
        parent = decision.parent
        reason = decision.reason.rawValue
    }
}

/// What a page of operations is told at once.
struct OperationUpdate: Encodable {
    struct LaneUpdate: Encodable {
        let name: String
        let width: Int
        let reserved: Int
        let running: Int
        let waiting: Int
    }

    /// The most decisions that are told at once.
    static let limit = 500

    let decisions: [OperationEvent]
    /// How many decisions were made that nobody can be told of any more.
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
