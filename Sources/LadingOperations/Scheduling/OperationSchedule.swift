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
        case join(FlightID, FlightRequest, OperationID, Demand)
        /// A new wish begins a flight of its own, after those it depends on.
        case begin(FlightRequest, OperationID, Demand, after: TinyArray<WaiterID>)
        /// A plain operation comes in, and stands in line.
        case enqueue(OperationID, LaneID, PriorityShare)
        /// Something is to happen to an operation that stands in line, which becomes a wish for it.
        case makeWaiter(QueuedEntry)
        /// The wish that was to depend on this one has not come to be; unless somebody else wants it, it is withdrawn.
        case releaseIfUnused(WaiterID)
        /// Somebody asks for a wish, or asks with another claim.
        case prioritize(WaiterID, PriorityShare)
        /// A wish is withdrawn; what depends on it is cancelled with it.
        case cancel(WaiterID)
        case cancelAll
        /// What a flight was to check before it lines up holds.
        case conditionsMet(FlightID)
        /// The work of a running flight ended, or what it checked does not hold.
        case finish(FlightID, CompletionStatus)
        /// The work of a running flight failed; it runs again at a later time.
        case retry(FlightID, at: Duration)
        /// A running flight is about to name another wish, which must not join it.
        case stopJoining(FlightID)
        /// The work of a running flight ended by naming another wish: the end of that one will be the flight's.
        case proceed(FlightID, with: WaiterID)
        /// So little is left of a running flight that it is not worth stopping.
        case nearlyComplete(FlightID)
        /// The transfer of a running flight is complete, and took this.
        case recordTransfer(FlightID, ConcurrencyEstimator.Sample)
        /// A flight that runs alone in a cold lane shares the lane from a time on.
        case limitColdStart(FlightID, until: Duration)
        /// Nothing starts in these lanes until they are resumed; what runs there goes on.
        case pause(LaneScope)
        case resume(LaneScope)
        /// A wish is to start nothing until it is freed; what runs goes on.
        case pauseWaiter(WaiterID)
        case resumeWaiter(WaiterID)
        /// Nothing is resumed any more: what is paused, or comes to be, is cancelled.
        case beginDraining
        /// Somebody follows each turn that the flight of a wish takes.
        case observe(WaiterID)
        /// It is this late: what was to happen by now happens.
        case fireTimers(Duration)
    }

    /// What the caller has to do, in this order.
    enum Effect: Equatable, Sendable {
        /// The operation stands in line.
        case enqueue(QueuedEntry)
        /// This wish now stands for the operation; it joined a flight or began one.
        case attach(WaiterID, OperationID, JoinResult)
        /// Whether the conditions of this flight hold is to be found out.
        case check(FlightID, OperationID)
        /// The work of this flight has a slot and begins.
        case run(FlightID, OperationID)
        /// This flight runs alone in a cold lane; `limitColdStart` is due.
        case coldStart(FlightID)
        /// The running work, or check, that this wish began is not wanted any more.
        case interrupt(FlightID, OperationID)
        /// A flight that is watched, or that waits for something out of the ordinary, has come into this phase.
        case transition(FlightID, OperationID, FlightPhase)
        /// This wish has its end.
        case complete(WaiterID, OperationID, CompletionStatus, CompletionContext)
        /// Nothing more is said about this operation.
        case release(OperationID)
        /// At this time at the latest, `ring` is due.
        case wake(at: Duration)
    }

    /// How a wish stood when it ended.
    struct CompletionContext: Equatable, Sendable {
        let share: PriorityShare
        /// The work of a flight that waited for it.
        let parent: OperationID?
        let flightEpoch: QueueEpoch
        /// Whether nobody is left for whom the work it began could still be done.
        let isLast: Bool
    }

    struct Waiter: SlotElement, Sendable {
        let operationID: OperationID
        let flight: FlightID
        /// Of its flight, which may be gone before it is.
        let epoch: QueueEpoch
        /// Among the wishes of its flight.
        var index: Int32
        /// How many of its dependents have gone since they were last tidied.
        var staleDependentCount: Int32 = 0
        /// Whether it began its flight.
        let isLeader: Bool
        var isPaused: Bool
        /// The claim of whoever submitted it; nil when only other flights want it.
        var requested: PriorityShare?
        /// The flights that wait for this wish. One that is gone may still stand here.
        var dependents = TinyArray<FlightID>()
        /// The most urgent of `asked` and the claims of `dependents`.
        var share: PriorityShare

        mutating func clear() {
            dependents = TinyArray()
        }
    }

    struct Flight: SlotElement, Sendable {
        /// The operation that began it, and whose work it does for all its wishes.
        let leader: OperationID
        let lane: LaneID
        let epoch: QueueEpoch
        /// What it was submitted with beyond the ordinary; nil for most.
        fileprivate(set) var attributes: FlightAttributes?
        var phase: FlightPhase
        var waiters = TinyArray<WaiterID>()
        /// How many of its wishes are paused.
        var pausedCount: Int32 = 0
        var dependencies: TinyArray<WaiterID>
        var share: PriorityShare
        /// Of its live entry among the ready ones of its lane.
        var entryVersion: UInt32 = 0
        var isObserved: Bool
        /// Whether the wish that began it has left it.
        var hasLeaderLeft = false

        mutating func clear() {
            attributes = nil
            waiters = TinyArray()
            dependencies = TinyArray()
        }
    }

    /// How many dependents of a wish may be gone and still stand in its list, beside as many as there are living ones.
    static var staleDependentLimit: Int { 8 }

    let configuration: LaneConfiguration
    var waiters = SlotTable<Waiter, WaiterTag>()
    var flights = SlotTable<Flight, FlightTag>()
    var joinableFlights: [JoinKey: FlightID] = [:]
    var lanes = SlotTable<LaneState, LaneTag>()
    var laneIDs: [Lane: LaneID] = [:]
    /// The lane that was asked for last.
    var latestLane: (lane: Lane, id: LaneID)?
    var exclusionGroups: [String: ExclusionGroup] = [:]
    var pausedScopes: Set<LaneScope> = []
    var isDraining = false
    var timers = PriorityHeap<TimerEntry>()
    /// The earliest time that the caller knows `ring` to be due at.
    var nextWakeTime: Duration?
    var sequenceNumber: UInt64 = 0
    /// How many operations stand in line without a flight.
    var queuedCount = 0
    /// The steps that an event set off and that are still to be taken: a list, so that long chains need no deep stack.
    var steps: [Step] = []
    /// The exclusions that steps mean.
    var releasedExclusionGroups: [String] = []
    /// What the event has come to so far; handed out when it has been dealt with.
    var effects: [Effect] = []

    enum Step: Sendable {
        case complete(WaiterID, CompletionStatus)
        case release(WaiterID)
        /// A claim on a wish has become more urgent.
        case raisePriority(WaiterID, PriorityShare)
        /// A claim on a wish has become less urgent, or has gone.
        case lowerPriority(WaiterID)
        case fill(LaneID)
        /// Of the exclusions that are summoned, the one that stands at this index.
        case startNextExcluded(Int)
    }

    init(configuration: LaneConfiguration) {
        self.configuration = configuration
    }

    /// Whether nothing is waiting, ready or running.
    var isIdle: Bool { flights.count == 0 && queuedCount == 0 }

    /// How many operations wait or run.
    var operationCount: Int { waiters.count + queuedCount }

    /// How much there is to copy.
    var capacity: Int { max(waiters.capacity, flights.capacity) }

    /// The moment between the flights begun so far and those to come.
    var epoch: QueueEpoch { QueueEpoch(sequenceNumber: sequenceNumber) }

    /// When the flight of a wish began.
    func epoch(of waiter: WaiterID) -> QueueEpoch { waiters[waiter].epoch }

    /// How urgently a running flight is wanted.
    func share(of flight: FlightID) -> PriorityShare { flights[flight].share }

    /// For whom a wish was asked.
    func consumer(of waiter: WaiterID) -> OperationConsumer {
        waiters.contains(waiter) ? waiters[waiter].requested?.consumer ?? .none : .none
    }

    /// Where the flight of a wish is; nil after its end.
    func phase(of waiter: WaiterID) -> FlightPhase? {
        guard waiters.contains(waiter), flights.contains(waiters[waiter].flight) else { return nil }
        return phase(of: waiter, in: flights[waiters[waiter].flight].phase)
    }

    /// What a phase of its flight is to a wish that may be paused while others are not.
    func phase(of waiter: WaiterID, in phase: FlightPhase) -> FlightPhase {
        waiters[waiter].isPaused && !phase.hasSlot ? .paused : phase
    }

    /// The operation whose work is done for a wish.
    func leader(of waiter: WaiterID) -> OperationID { flights[waiters[waiter].flight].leader }

    /// Whether anybody waits for the end of a flight.
    func hasWaiters(_ flight: FlightID) -> Bool { !flights[flight].waiters.isEmpty }

    /// The flight that an operation with these traits may join.
    ///
    /// - Parameter notBefore: Those that began earlier are not joined.
    func flight(joinableBy attributes: FlightAttributes?, noOlderThan: QueueEpoch?) -> FlightID? {
        guard let key = attributes?.key, let flight = joinableFlights[key] else { return nil }
        if let noOlderThan, flights[flight].epoch <= noOlderThan { return nil }
        return flight
    }

    /// The work of a flight that waits for any wish of a flight.
    func parent(of flight: FlightID) -> OperationID? {
        for waiter in flights[flight].waiters {
            if let parent = parent(of: waiter) { return parent }
        }
        return nil
    }

    /// The work of a flight that waits for a wish.
    func parent(of waiter: WaiterID) -> OperationID? {
        guard !waiters[waiter].dependents.isEmpty else { return nil }
        return waiters[waiter].dependents.first { flights.contains($0) }.map { flights[$0].leader }
    }
}
