/// What a queue decided last: told decision by decision, and as a record from which the same decisions can be made again.
struct OperationLog: Sendable {
    /// The most decisions that are told, and the most operations of a queue whose decisions can be made again.
    let limit: Int
    /// The most places of a schedule, in use or not, that are copied for a chapter whatever the limit.
    private static let capacityLimit = 1_024
    private(set) var record: DecisionRecord<OperationSchedule>
    private(set) var decisions: RingBuffer<TracedDecision>
    /// Is told each decision at once.
    var listener: (@Sendable (TracedDecision) -> Void)?

    init(limit: Int) {
        self.limit = limit
        record = DecisionRecord(limit: limit)
        decisions = RingBuffer(limit: limit)
    }

    /// Whether the record is to begin a chapter with a schedule of so many operations and places.
    ///
    /// A chapter copies the schedule, so it is the longer the more there is to copy, and none is begun when that is too much.
    mutating func needsSegment(operations: Int, capacity: Int) -> Bool {
        guard limit > 0 else { return false }
        guard operations <= limit, capacity <= max(limit, Self.capacityLimit) else {
            record.removeAll()
            return false
        }
        return record.needsSegment(ofAtLeast: 4 * operations)
    }

    mutating func beginSegment(with schedule: OperationSchedule) {
        record.beginSegment(with: schedule)
    }

    /// The event that is handled next; its effects follow.
    mutating func appendEvent(_ event: borrowing OperationSchedule.Event) {
        record.appendEvent(event)
    }

    mutating func appendEffects(_ effects: borrowing [OperationSchedule.Effect]) {
        record.appendEffects(effects)
    }

    mutating func append(_ decision: consuming TracedDecision) {
        listener?(decision)
        decisions.append(decision)
    }
}
