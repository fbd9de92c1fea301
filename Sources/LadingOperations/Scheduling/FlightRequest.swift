/// The id of a waiter in a schedule.
typealias WaiterID = SlotID<WaiterTag>
/// The id of a flight in a schedule.
typealias FlightID = SlotID<FlightTag>

/// The id of a lane in a schedule.
typealias LaneID = SlotID<LaneTag>

enum WaiterTag {}
enum FlightTag {}
enum LaneTag {}

/// The properties of a submitted operation that its schedule needs.
struct FlightRequest: Equatable, Sendable {
    var lane: LaneID
    /// The optional attributes; nil for most operations.
    var attributes: FlightAttributes?
    /// The oldest flight that may be joined; nil for any.
    var noOlderThan: FlightEpoch?
    /// The time at which the waiter expires.
    var deadline: Duration?
    /// Whether the waiter is paused.
    var isPaused = false
    /// Whether transitions of the flight are reported.
    var isObserved = false
}

/// The optional attributes of a flight. A class, so that flights without them store only a nil reference.
final class FlightAttributes: Sendable {
    let key: JoinKey?
    /// The name of a group of flights of which one runs at a time.
    let exclusionGroup: String?
    /// Whether the work runs after a dependency failed or was cancelled.
    let runsOnFailure: Bool
    /// Whether conditions must be checked before the flight is enqueued.
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

/// A key with the type of its value, since flights of another type cannot be joined.
struct JoinKey: Hashable, Sendable {
    var key: OperationKey
    var valueType: ObjectIdentifier
}

/// The origin of a new waiter's priority share.
enum Demand: Hashable, Sendable {
    /// The submitter.
    case requested(PriorityShare)
    /// A dependent with this share, which is added next.
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

/// An operation in the queue of its lane, which has no waiter and no flight until it is dequeued or an event concerns it.
///
/// Operations without dependencies, attributes and observers are queued in this form, so that the tables of the schedule stay as small as the
/// number of running flights, however long the queue is.
struct QueuedEntry: Equatable, Sendable {
    let operationID: OperationID
    let lane: LaneID
    let share: PriorityShare
    /// The epoch of the future flight.
    let epoch: FlightEpoch
}

/// The relation of a new waiter to its flight.
enum JoinResult: Equatable, Sendable {
    case joined
    case created
    /// It began a flight although another one had its key, because that one was older than allowed.
    case createdAgain
}

/// The completion status of a waiter.
enum CompletionStatus: Equatable, Sendable {
    /// With the value of the flight in the `finish` event.
    case succeeded
    /// With the error of the flight in the `finish` event.
    case failed
    /// Without running, because the flight in the `finish` event failed.
    case dependencyFailed
    /// Cancelled, or without remaining dependents.
    case cancelled
    /// Not completed by its deadline.
    case expired
}
