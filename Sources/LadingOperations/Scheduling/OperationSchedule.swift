/// Decides which operations share a flight, which flight runs next, and what becomes of those that depend on one another.
///
/// A *wish* is one operation object that somebody submitted or that another flight depends on. A *flight* is the work that wishes with equal
/// keys share. This is a synchronous value: events come in through `handle`, effects are appended to a buffer that the caller performs.
///
/// A flight depends only on wishes that existed before it, and a wish that joins a flight brings no dependencies along. Only a flight that
/// goes on with another wish could come to wait for itself; it fails instead.
struct OperationSchedule<Payload> {
    enum Event {
        /// A new wish joins a flight that `flight(joinableBy:)` named.
        case join(FlightID, Payload, Demand)
        /// A new wish begins a flight of its own, after those it depends on.
        case begin(Submission, Payload, Demand, after: [WishID])
        /// The wish that was to depend on this one has not come to be; unless somebody else wants it, it is withdrawn.
        case letGo(WishID)
        /// Somebody asks for a wish, or asks with another claim.
        case ask(WishID, Claim)
        /// A wish is withdrawn; what depends on it is cancelled with it.
        case withdraw(WishID)
        case withdrawAll
        /// The work of a running flight ended.
        case finish(FlightID, Settlement)
        /// A running flight is about to name another wish, which must not join it.
        case close(FlightID)
        /// The work of a running flight ended by naming another wish: the end of that one will be the flight's.
        case proceed(FlightID, with: WishID)
        /// So little is left of a running flight that it is not worth stopping.
        case nearEnd(FlightID)
        /// Nothing starts in these lanes until they are resumed; what runs there goes on.
        case pause(LaneScope)
        case resume(LaneScope)
    }

    /// What the caller has to do, in this order.
    enum Effect {
        /// This wish now stands for the operation; it joined a flight or began one.
        case enlist(WishID, Payload, joined: Bool)
        /// The work of this flight has a slot and begins.
        case run(FlightID, Payload)
        /// The running work that this wish began is not wanted any more.
        case interrupt(FlightID, Payload)
        /// This wish has its end.
        case settle(WishID, Payload, Settlement)
    }

    struct Wish {
        let payload: Payload
        var flight: FlightID
        /// The claim of whoever submitted it; nil when only other flights want it.
        var asked: Claim?
        /// The flights that wait for this wish.
        var dependents: [FlightID] = []
        /// The most urgent of `asked` and the claims of `dependents`.
        var claim: Claim
    }

    struct Flight {
        let lane: Lane
        let key: JoinKey?
        let mark: OperationMark
        let runsAnyway: Bool
        /// The wish that began it, and whose work it does for all of them.
        let work: Payload
        var phase: FlightPhase
        var wishes: [WishID]
        var dependencies: [WishID]
        var claim: Claim
        /// Of its live entry among the ready ones of its lane.
        var stamp: UInt32 = 0
    }

    let plan: LanePlan
    var wishes = SlotTable<Wish, WishTag>()
    var flights = SlotTable<Flight, FlightTag>()
    var joinable: [JoinKey: FlightID] = [:]
    var lanes: [Lane: LaneState] = [:]
    var paused: Set<LaneScope> = []
    var arrivals: UInt64 = 0
    /// The steps that an event set off and that are still to be taken: a list, so that long chains need no deep stack.
    var steps: [Step] = []

    enum Step: Sendable {
        case settle(WishID, Settlement)
        case release(WishID, from: FlightID)
        case reclaim(WishID)
        case refill(Lane)
    }

    init(plan: LanePlan) {
        self.plan = plan
    }

    /// Whether nothing is waiting, ready or running.
    var isIdle: Bool { flights.count == 0 }

    /// The moment between the flights begun so far and those to come.
    var mark: OperationMark { OperationMark(arrivals: arrivals) }

    /// When the flight of a wish began.
    func mark(of wish: WishID) -> OperationMark { flights[wishes[wish].flight].mark }

    /// How urgently a running flight is wanted.
    func claim(of flight: FlightID) -> Claim { flights[flight].claim }

    /// For whom a wish was asked.
    func viewer(of wish: WishID) -> OperationViewer {
        wishes.contains(wish) ? wishes[wish].asked?.viewer ?? .nobody : .nobody
    }

    /// The flight that a submission may join.
    func flight(joinableBy submission: Submission) -> FlightID? {
        guard let key = submission.key, let flight = joinable[key] else { return nil }
        if let notBefore = submission.notBefore, flights[flight].mark <= notBefore { return nil }
        return flight
    }
}

extension OperationSchedule: Sendable where Payload: Sendable {}
extension OperationSchedule.Wish: Sendable where Payload: Sendable {}
extension OperationSchedule.Flight: Sendable where Payload: Sendable {}
extension OperationSchedule.Event: Sendable where Payload: Sendable {}
extension OperationSchedule.Effect: Sendable where Payload: Sendable {}
extension OperationSchedule.Event: Equatable where Payload: Equatable {}
extension OperationSchedule.Effect: Equatable where Payload: Equatable {}
