/// The place of a wish in a schedule.
typealias WaiterID = SlotID<WaiterTag>
/// The place of a flight in a schedule.
typealias FlightID = SlotID<FlightTag>

/// The place of a lane in a schedule.
typealias LaneID = SlotID<LaneTag>

enum WaiterTag {}
enum FlightTag {}
enum LaneTag {}

/// What a schedule is told of an operation that is submitted.
struct FlightRequest: Equatable, Sendable {
    var lane: LaneID
    /// What is out of the ordinary about it; nil for most.
    var attributes: FlightAttributes?
    /// The oldest flight that may be joined; nil when any may.
    var noOlderThan: QueueEpoch?
    /// When the wish for it expires.
    var deadline: Duration?
    /// Whether the wish waits to be freed.
    var isPaused = false
    /// Whether somebody follows each turn that its flight takes.
    var isObserved = false
}

/// What only some flights have. An object, so that the others need no room for it.
final class FlightAttributes: Sendable {
    let key: JoinKey?
    /// Of all flights that name this, one runs at a time.
    let exclusionGroup: String?
    /// Whether the work runs although a dependency failed or was cancelled.
    let runsOnFailure: Bool
    /// Whether there is something to check before the work is lined up.
    let hasConditions: Bool

    init(key: JoinKey? = nil, exclusionGroup: String? = nil, runsOnFailure: Bool = false, hasConditions: Bool = false) {
        self.key = key
        self.exclusionGroup = exclusionGroup
        self.runsOnFailure = runsOnFailure
        self.hasConditions = hasConditions
    }
}

extension FlightAttributes: Equatable {
    static func == (left: FlightAttributes, right: FlightAttributes) -> Bool {
        left === right
            || left.key == right.key && left.exclusionGroup == right.exclusionGroup && left.runsOnFailure == right.runsOnFailure
                && left.hasConditions == right.hasConditions
    }
}

/// A key together with the type of its value: flights of another type are not joined.
struct JoinKey: Hashable, Sendable {
    var key: OperationKey
    var valueType: ObjectIdentifier
}

/// Who wants a new wish.
enum Demand: Hashable, Sendable {
    /// Whoever submitted it.
    case requested(PriorityShare)
    /// A wish with this claim that will depend on it, and comes next.
    case inherited(PriorityShare)

    var share: PriorityShare {
        switch self {
        case .requested(let share), .inherited(let share): share
        }
    }

    var requested: PriorityShare? {
        if case .requested(let share) = self { share } else { nil }
    }
}

/// An operation that stands in the line of its lane under its own name: it is no wish and has no flight until its turn comes, or somebody calls it.
///
/// Whatever depends on nothing, shares nothing and is asked for nothing but its work comes in like this. However long the line is, the tables of
/// the schedule stay as small as what runs.
struct QueuedEntry: Equatable, Sendable {
    let operationID: OperationID
    let lane: LaneID
    let share: PriorityShare
    /// Of the flight that it will have.
    let epoch: QueueEpoch
}

/// How a wish came to its flight.
enum JoinResult: Equatable, Sendable {
    case joined
    case began
    /// It began one after it had stood in line.
    case beganFromQueue
    /// It began one although another had its key: that one had begun too early.
    case beganAnew
}

/// How a wish ended.
enum CompletionStatus: Equatable, Sendable {
    /// With the value of the flight that the event reported as finished.
    case succeeded
    /// With the error of the flight that the event reported as finished.
    case failed
    /// Unrun, because the flight that the event reported as finished failed.
    case dependencyFailed
    /// Because it was no longer wanted.
    case cancelled
    /// Because it had not ended by its deadline.
    case expired
}
