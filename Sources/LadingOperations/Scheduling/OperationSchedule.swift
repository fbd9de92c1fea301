/// Decides which operations share a flight, which flight runs next, and what becomes of those that depend on one another.
///
/// A *wish* is one operation object that somebody submitted or that another flight depends on. A *flight* is the work that wishes with equal
/// keys share. This is a synchronous value: events are its mutating methods, effects are appended to a buffer that the caller performs.
///
/// A flight depends only on wishes that existed before it, and a wish that joins a flight brings no dependencies along, so that no
/// cycle can come to be.
struct OperationSchedule<Payload> {
    typealias WishID = SlotTable<Wish>.ID
    typealias FlightID = SlotTable<Flight>.ID

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

    /// What the caller has to do, in this order.
    enum Effect {
        /// The work of this flight has a slot and begins.
        case run(FlightID, Payload)
        /// The running work that this wish began is not wanted any more.
        case interrupt(Payload)
        /// This wish has its end.
        case settle(Payload, Settlement)
    }

    /// What is submitted with an operation.
    struct Submission {
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

    struct Wish {
        let payload: Payload
        var flight: FlightID
        /// The priority asked for by whoever submitted it; nil when only other flights want it.
        var asked: OperationPriority?
        /// The flights that wait for this wish.
        var dependents: [FlightID] = []
        /// The highest of `asked` and the priorities of `dependents`.
        var priority: OperationPriority
    }

    struct Flight {
        /// Where a flight is on its way. Transitions: waiting → ready → running → (continuing →) gone; from each of them to gone by
        /// cancellation, though a running one stays, interrupted, until its work has ended.
        enum Phase: Equatable {
            /// For this many dependencies.
            case waiting(Int)
            /// For a slot of its lane.
            case ready
            case running
            /// Running, but nobody wants it any more.
            case interrupted
            /// Its work ended by naming another wish whose end is its own.
            case continuing
        }

        let lane: Lane
        let key: JoinKey?
        let mark: OperationMark
        let runsAnyway: Bool
        /// The wish that began it, and whose work it does for all of them.
        let work: Payload
        var phase: Phase
        var wishes: [WishID]
        var dependencies: [WishID]
        var priority: OperationPriority
        /// Of its live entry in the heap of its lane.
        var stamp: UInt32 = 0
    }

    let plan: LanePlan
    var wishes = SlotTable<Wish>()
    var flights = SlotTable<Flight>()
    var joinable: [JoinKey: FlightID] = [:]
    var lanes: [Lane: LaneState<FlightID>] = [:]
    var arrivals: UInt64 = 0
    /// The steps that an event set off and that are still to be taken: a list, so that long chains need no deep stack.
    var steps: [Step] = []

    enum Step {
        case settle(WishID, Settlement)
        case release(WishID, from: FlightID)
        case reprioritize(WishID)
        case refill(Lane)
    }

    init(plan: LanePlan) {
        self.plan = plan
    }

    /// Whether nothing is waiting, ready or running.
    var isIdle: Bool { flights.count == 0 }

    /// The moment between the flights begun so far and those to come.
    var mark: OperationMark { OperationMark(arrivals: arrivals) }
}
