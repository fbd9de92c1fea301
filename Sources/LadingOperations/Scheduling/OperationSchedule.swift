/// Decides which operations share a flight, which flight runs next, and what becomes of those that depend on one another.
///
/// A *wish* is one operation object that somebody submitted or that another flight depends on. A *flight* is the work that wishes with equal
/// keys share. This is a synchronous value: events come in through `handle`, effects are appended to a buffer that the caller performs.
///
/// It knows operations only as what the caller calls them: what it works on, and what it says, are small values without references.
///
/// A flight depends only on wishes that existed before it, and a wish that joins a flight brings no dependencies along. Only a flight that
/// goes on with another wish could come to wait for itself; it fails instead.
struct OperationSchedule: Sendable {
    enum Event: Equatable, Sendable {
        /// Operations are about to come in for a lane that is not known, or not any more.
        case open(Lane)
        /// A new wish joins a flight that `flight(joinableBy:)` named.
        case join(FlightID, Submission, Ticket, Demand)
        /// A new wish begins a flight of its own, after those it depends on.
        case begin(Submission, Ticket, Demand, after: ShortList<WishID>)
        /// A plain operation comes in, and stands in line.
        case stand(Ticket, LaneID, Claim)
        /// Something is to happen to an operation that stands in line, which becomes a wish for it.
        case call(PlaceInLine)
        /// The wish that was to depend on this one has not come to be; unless somebody else wants it, it is withdrawn.
        case letGo(WishID)
        /// Somebody asks for a wish, or asks with another claim.
        case ask(WishID, Claim)
        /// A wish is withdrawn; what depends on it is cancelled with it.
        case withdraw(WishID)
        case withdrawAll
        /// What a flight was to check before it lines up holds.
        case met(FlightID)
        /// The work of a running flight ended, or what it checked does not hold.
        case finish(FlightID, Settlement)
        /// The work of a running flight failed; it runs again at a later time.
        case rest(FlightID, until: Duration)
        /// A running flight is about to name another wish, which must not join it.
        case close(FlightID)
        /// The work of a running flight ended by naming another wish: the end of that one will be the flight's.
        case proceed(FlightID, with: WishID)
        /// So little is left of a running flight that it is not worth stopping.
        case nearEnd(FlightID)
        /// The transfer of a running flight is complete, and took this.
        case gauge(FlightID, LineGauge.Transfer)
        /// A flight that runs alone in a cold lane shares the lane from a time on.
        case limitColdStart(FlightID, until: Duration)
        /// Nothing starts in these lanes until they are resumed; what runs there goes on.
        case pause(LaneScope)
        case resume(LaneScope)
        /// A wish is to start nothing until it is freed; what runs goes on.
        case hold(WishID)
        case free(WishID)
        /// Nothing is resumed any more: what is paused, or comes to be, is cancelled.
        case windUp
        /// Somebody follows each turn that the flight of a wish takes.
        case watch(WishID)
        /// It is this late: what was to happen by now happens.
        case ring(Duration)
    }

    /// What the caller has to do, in this order.
    enum Effect: Equatable, Sendable {
        /// The operation stands in line.
        case stand(PlaceInLine)
        /// This wish now stands for the operation; it joined a flight or began one.
        case enlist(WishID, Ticket, Enlistment)
        /// Whether the conditions of this flight hold is to be found out.
        case check(FlightID, Ticket)
        /// The work of this flight has a slot and begins.
        case run(FlightID, Ticket)
        /// This flight runs alone in a cold lane; `limitColdStart` is due.
        case coldStart(FlightID)
        /// The running work, or check, that this wish began is not wanted any more.
        case interrupt(FlightID, Ticket)
        /// A flight that is watched, or that waits for something out of the ordinary, has come into this phase.
        case turn(FlightID, Ticket, FlightPhase)
        /// This wish has its end.
        case settle(WishID, Ticket, Settlement, Circumstances)
        /// Nothing more is said about this operation.
        case forget(Ticket)
        /// At this time at the latest, `ring` is due.
        case wake(at: Duration)
    }

    /// How a wish stood when it ended.
    struct Circumstances: Equatable, Sendable {
        let claim: Claim
        /// The work of a flight that waited for it.
        let parent: Ticket?
        let flight: OperationMark
        /// Whether nobody is left for whom the work it began could still be done.
        let isLast: Bool
    }

    struct Wish: SlotElement, Sendable {
        let ticket: Ticket
        let flight: FlightID
        /// Of its flight, which may be gone before it is.
        let mark: OperationMark
        /// Among the wishes of its flight.
        var place: Int32
        /// How many of its dependents have gone since they were last tidied.
        var goneDependents: Int32 = 0
        /// Whether it began its flight.
        let isLeader: Bool
        var isPaused: Bool
        /// The claim of whoever submitted it; nil when only other flights want it.
        var asked: Claim?
        /// The flights that wait for this wish. One that is gone may still stand here.
        var dependents = ShortList<FlightID>()
        /// The most urgent of `asked` and the claims of `dependents`.
        var claim: Claim

        mutating func vacate() {
            dependents = ShortList()
        }
    }

    struct Flight: SlotElement, Sendable {
        /// The operation that began it, and whose work it does for all its wishes.
        let work: Ticket
        let lane: LaneID
        let mark: OperationMark
        /// What it was submitted with beyond the ordinary; nil for most.
        fileprivate(set) var traits: FlightTraits?
        var phase: FlightPhase
        var wishes = ShortList<WishID>()
        /// How many of its wishes are paused.
        var pausedCount: Int32 = 0
        var dependencies: ShortList<WishID>
        var claim: Claim
        /// Of its live entry among the ready ones of its lane.
        var stamp: UInt32 = 0
        var isWatched: Bool
        /// Whether the wish that began it has left it.
        var isLeaderGone = false

        mutating func vacate() {
            traits = nil
            wishes = ShortList()
            dependencies = ShortList()
        }
    }

    /// How many dependents of a wish may be gone and still stand in its list, beside as many as there are living ones.
    static var goneDependentLimit: Int { 8 }

    let plan: LanePlan
    var wishes = SlotTable<Wish, WishTag>()
    var flights = SlotTable<Flight, FlightTag>()
    var joinable: [JoinKey: FlightID] = [:]
    var lanes = SlotTable<LaneState, LaneTag>()
    var laneIDs: [Lane: LaneID] = [:]
    /// The lane that was asked for last.
    var latestLane: (lane: Lane, id: LaneID)?
    var exclusions: [String: Exclusion] = [:]
    var paused: Set<LaneScope> = []
    var isWindingUp = false
    var alarms = PriorityHeap<Alarm>()
    /// The earliest time that the caller knows `ring` to be due at.
    var nextAlarm: Duration?
    var arrivals: UInt64 = 0
    /// How many operations stand in line without a flight.
    var standing = 0
    /// The steps that an event set off and that are still to be taken: a list, so that long chains need no deep stack.
    var steps: [Step] = []
    /// The exclusions that steps mean.
    var summoned: [String] = []
    /// What the event has come to so far; handed out when it has been dealt with.
    var effects: [Effect] = []

    enum Step: Sendable {
        case settle(WishID, Settlement)
        case release(WishID)
        /// A claim on a wish has become more urgent.
        case raise(WishID, Claim)
        /// A claim on a wish has become less urgent, or has gone.
        case reclaim(WishID)
        case refill(LaneID)
        /// Of the exclusions that are summoned, the one that stands at this index.
        case summon(Int)
    }

    init(plan: LanePlan) {
        self.plan = plan
    }

    /// Whether nothing is waiting, ready or running.
    var isIdle: Bool { flights.count == 0 && standing == 0 }

    /// How many operations wait or run.
    var operationCount: Int { wishes.count + standing }

    /// How much there is to copy.
    var capacity: Int { max(wishes.capacity, flights.capacity) }

    /// The moment between the flights begun so far and those to come.
    var mark: OperationMark { OperationMark(arrivals: arrivals) }

    /// When the flight of a wish began.
    func mark(of wish: WishID) -> OperationMark { wishes[wish].mark }

    /// How urgently a running flight is wanted.
    func claim(of flight: FlightID) -> Claim { flights[flight].claim }

    /// For whom a wish was asked.
    func viewer(of wish: WishID) -> OperationViewer {
        wishes.contains(wish) ? wishes[wish].asked?.viewer ?? .nobody : .nobody
    }

    /// Where the flight of a wish is; nil after its end.
    func phase(of wish: WishID) -> FlightPhase? {
        guard wishes.contains(wish), flights.contains(wishes[wish].flight) else { return nil }
        return phase(of: wish, in: flights[wishes[wish].flight].phase)
    }

    /// What a phase of its flight is to a wish that may be paused while others are not.
    func phase(of wish: WishID, in phase: FlightPhase) -> FlightPhase {
        wishes[wish].isPaused && !phase.isUnderway ? .held : phase
    }

    /// The operation whose work is done for a wish.
    func leader(of wish: WishID) -> Ticket { flights[wishes[wish].flight].work }

    /// Whether anybody waits for the end of a flight.
    func isWanted(_ flight: FlightID) -> Bool { !flights[flight].wishes.isEmpty }

    /// The flight that an operation with these traits may join.
    ///
    /// - Parameter notBefore: Those that began earlier are not joined.
    func flight(joinableBy traits: FlightTraits?, notBefore: OperationMark?) -> FlightID? {
        guard let key = traits?.key, let flight = joinable[key] else { return nil }
        if let notBefore, flights[flight].mark <= notBefore { return nil }
        return flight
    }

    /// The work of a flight that waits for any wish of a flight.
    func parent(of flight: FlightID) -> Ticket? {
        for wish in flights[flight].wishes {
            if let parent = parent(of: wish) { return parent }
        }
        return nil
    }

    /// The work of a flight that waits for a wish.
    func parent(of wish: WishID) -> Ticket? {
        guard !wishes[wish].dependents.isEmpty else { return nil }
        return wishes[wish].dependents.first { flights.contains($0) }.map { flights[$0].work }
    }
}
