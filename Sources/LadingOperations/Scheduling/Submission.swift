/// The place of a wish in a schedule.
typealias WishID = SlotID<WishTag>
/// The place of a flight in a schedule.
typealias FlightID = SlotID<FlightTag>

/// The place of a lane in a schedule.
typealias LaneID = SlotID<LaneTag>

enum WishTag {}
enum FlightTag {}
enum LaneTag {}

/// What a schedule is told of an operation that is submitted.
struct Submission: Equatable, Sendable {
    var lane: LaneID
    /// What is out of the ordinary about it; nil for most.
    var traits: FlightTraits?
    /// The oldest flight that may be joined; nil when any may.
    var notBefore: OperationMark?
    /// When the wish for it expires.
    var deadline: Duration?
    /// Whether the wish waits to be freed.
    var isPaused = false
    /// Whether somebody follows each turn that its flight takes.
    var isWatched = false
}

/// What only some flights have. An object, so that the others need no room for it.
final class FlightTraits: Sendable {
    let key: JoinKey?
    /// Of all flights that name this, one runs at a time.
    let exclusion: String?
    /// Whether the work runs although a dependency failed or was cancelled.
    let runsAnyway: Bool
    /// Whether there is something to check before the work is lined up.
    let isConditional: Bool

    init(key: JoinKey? = nil, exclusion: String? = nil, runsAnyway: Bool = false, isConditional: Bool = false) {
        self.key = key
        self.exclusion = exclusion
        self.runsAnyway = runsAnyway
        self.isConditional = isConditional
    }
}

extension FlightTraits: Equatable {
    static func == (left: FlightTraits, right: FlightTraits) -> Bool {
        left === right
            || left.key == right.key && left.exclusion == right.exclusion && left.runsAnyway == right.runsAnyway
                && left.isConditional == right.isConditional
    }
}

/// A key together with the type of its value: flights of another type are not joined.
struct JoinKey: Hashable, Sendable {
    var key: OperationKey
    var value: ObjectIdentifier
}

/// Who wants a new wish.
enum Demand: Hashable, Sendable {
    /// Whoever submitted it.
    case asked(Claim)
    /// A wish with this claim that will depend on it, and comes next.
    case expected(Claim)

    var claim: Claim {
        switch self {
        case .asked(let claim), .expected(let claim): claim
        }
    }

    var asked: Claim? {
        if case .asked(let claim) = self { claim } else { nil }
    }
}

/// An operation that stands in the line of its lane under its own name: it is no wish and has no flight until its turn comes, or somebody calls it.
///
/// Whatever depends on nothing, shares nothing and is asked for nothing but its work comes in like this. However long the line is, the tables of
/// the schedule stay as small as what runs.
struct PlaceInLine: Equatable, Sendable {
    let ticket: Ticket
    let lane: LaneID
    let claim: Claim
    /// Of the flight that it will have.
    let mark: OperationMark
}

/// How a wish came to its flight.
enum Enlistment: Equatable, Sendable {
    case joined
    case began
    /// It began one after it had stood in line.
    case called
    /// It began one although another had its key: that one had begun too early.
    case renewed
}

/// How a wish ended.
enum Settlement: Equatable, Sendable {
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
