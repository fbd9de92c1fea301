/// The place of a wish in a schedule.
typealias WishID = SlotID<WishTag>
/// The place of a flight in a schedule.
typealias FlightID = SlotID<FlightTag>

enum WishTag {}
enum FlightTag {}

/// What a schedule is told of an operation that is submitted.
struct Submission: Equatable, Sendable {
    var lane: Lane
    var key: JoinKey?
    /// The oldest flight that may be joined; nil when any may.
    var notBefore: OperationMark?
    /// Whether the work runs although a dependency failed or was cancelled.
    var runsAnyway = false
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
}
