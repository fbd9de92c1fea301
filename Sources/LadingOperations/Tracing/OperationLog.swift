/// What a queue decided last: told decision by decision, and as a record from which the same decisions can be made again.
struct OperationLog: Sendable {
    /// The most decisions that are told, and the most wishes of a queue whose decisions can be made again.
    let limit: Int
    /// The most places of a schedule, in use or not, that are copied for a chapter whatever the limit.
    private static let capacityLimit = 1_024
    private(set) var record: DecisionRecord<OperationSchedule<String>>
    private(set) var decisions: BoundedRing<TracedDecision>
    /// Is told each decision at once.
    var listener: (@Sendable (TracedDecision) -> Void)?

    init(limit: Int) {
        self.limit = limit
        record = DecisionRecord(limit: limit)
        decisions = BoundedRing(limit: limit)
    }

    /// Whether the record is to begin a chapter with the schedule as it is now.
    ///
    /// A chapter copies the schedule, so it is the longer the more there is to copy, and none is begun when that is too much.
    mutating func needsChapter(for schedule: BackendQueue.Schedule) -> Bool {
        guard limit > 0 else { return false }
        guard schedule.wishes.count <= limit, schedule.capacity <= max(limit, Self.capacityLimit) else {
            record.removeAll()
            return false
        }
        return record.needsChapter(ofAtLeast: 4 * schedule.wishes.count)
    }

    mutating func beginChapter(with schedule: OperationSchedule<String>) {
        record.beginChapter(with: schedule)
    }

    mutating func note(_ event: BackendQueue.Schedule.Event, _ effects: [BackendQueue.Schedule.Effect]) {
        guard !record.isEmpty else { return }
        record.note(event.mapPayload(\.name), effects.lazy.map { $0.mapPayload(\.name) })
    }

    mutating func append(_ decision: TracedDecision) {
        decisions.append(decision)
        listener?(decision)
    }
}
