/// The last decisions of a queue, as a trace and as a record for replay.
struct OperationLog: Sendable {
    /// The maximum number of traced decisions, and of operations in a recorded schedule.
    let limit: Int
    /// The number of slots of a schedule that may be copied for a segment regardless of `limit`.
    private static let capacityLimit = 1_024
    private(set) var record: DecisionRecord<OperationSchedule>
    private(set) var decisions: RingBuffer<TracedDecision>
    /// The observer that receives each decision immediately.
    var listener: (@Sendable (TracedDecision) -> Void)?

    init(limit: Int) {
        self.limit = limit
        record = DecisionRecord(limit: limit)
        decisions = RingBuffer(limit: limit)
    }

    /// Returns whether the record needs a new segment, which copies a schedule of this size.
    ///
    /// Segments are longer for larger schedules. A schedule that is too large to copy clears the record.
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

    /// Appends the event that is handled next; its effects follow.
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
