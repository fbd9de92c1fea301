/// The scheduling decisions of a queue: which operations share a flight, which flight runs next, and how completion reaches dependents.
///
/// A *waiter* is one operation that was submitted or that another flight depends on. A *flight* is the work that waiters with equal keys share. The
/// schedule is a synchronous value: `handle` consumes events and appends effects to a buffer, and the caller performs them.
///
/// Operations appear as ids only: state, events and effects are small values without references.
///
/// A flight depends only on waiters that existed before it, and a waiter that joins a flight adds no dependencies to it. Only a flight that
/// proceeds with another waiter could come to depend on itself; it fails instead.
struct OperationSchedule: Sendable {
    enum Event: Equatable, Sendable {
        /// Opens a lane that is not known, or no longer.
        case open(Lane)
        /// A new waiter joins a flight that `flight(joinableBy:noOlderThan:)` returned.
        case join(FlightID, FlightRequest, OperationID, Demand)
        /// A new waiter begins a flight, after its dependencies.
        case begin(FlightRequest, OperationID, Demand, after: TinyArray<WaiterID>)
        /// A plain operation is queued.
        case enqueue(OperationID, LaneID, PriorityShare)
        /// A queued operation becomes a waiter, because an event concerns it.
        case makeWaiter(QueuedEntry)
        /// A waiter has lost its future dependent; it is cancelled unless another one needs it.
        case releaseIfUnused(WaiterID)
        /// The requested share of a waiter changes.
        case prioritize(WaiterID, PriorityShare)
        /// A waiter that is submitted again expires at this time, unless it expires earlier.
        case setDeadline(WaiterID, at: Duration)
        /// A waiter is cancelled, and its dependents with it.
        case cancel(WaiterID)
        case cancelAll
        /// The conditions of a flight are satisfied.
        case conditionsSatisfied(FlightID)
        /// The work of a running flight ended, or a condition of a flight failed.
        case finish(FlightID, CompletionStatus)
        /// The work of a running flight failed and will be retried.
        case retry(FlightID, at: Duration)
        /// A running flight is about to proceed with another waiter, which must not join it.
        case stopJoining(FlightID)
        /// The work of a running flight produced another waiter, whose completion becomes the flight's.
        case proceed(FlightID, with: WaiterID)
        /// So little of a running flight remains that it is not worth cancelling.
        case finishing(FlightID)
        /// The transfer of a running flight is complete.
        case recordTransfer(FlightID, AdaptiveConcurrency.Sample)
        /// A flight that runs alone in a cold lane shares the lane from this time on.
        case limitColdStart(FlightID, until: Duration)
        /// No flight starts in these lanes until they are resumed; running flights continue.
        case pause(LaneScope)
        case resume(LaneScope)
        /// A waiter starts nothing until it is resumed; running work continues.
        case pauseWaiter(WaiterID)
        case resumeWaiter(WaiterID)
        /// Paused waiters, now or later, are cancelled, since they will not be resumed.
        case beginDraining
        /// Transitions of a waiter's flight are reported from now on.
        case observe(WaiterID)
        /// The current time; timers up to it fire.
        case fireTimers(Duration)
    }

    /// An effect that the caller must perform, in order.
    enum Effect: Equatable, Sendable {
        /// The operation is queued.
        case enqueue(QueuedEntry)
        /// The operation has a waiter, which joined or began a flight.
        case attach(WaiterID, OperationID, JoinResult)
        /// The queued operation has a waiter, which began its flight.
        case attachFromQueue(WaiterID, OperationID)
        /// The conditions of a flight must be checked.
        case check(FlightID, OperationID)
        /// The flight has a slot; its work must be started.
        case run(FlightID, OperationID)
        /// The flight runs alone in a cold lane; the caller must send `limitColdStart`.
        case coldStart(FlightID)
        /// The running work or check is not needed any more.
        case interrupt(FlightID, OperationID)
        /// A flight has entered a phase that is always reported, or is observed.
        case transition(FlightID, OperationID, FlightPhase)
        /// A waiter has completed.
        case complete(WaiterID, OperationID, CompletionStatus, CompletionContext)
        /// No later effect refers to the operation.
        case release(OperationID)
        /// The caller must send `fireTimers` at this time at the latest.
        case wake(at: Duration)
    }

    /// The state of a waiter at its completion.
    struct CompletionContext: Equatable, Sendable {
        let share: PriorityShare
        /// The operation of a flight that depended on the waiter.
        let parent: OperationID?
        let flightEpoch: FlightEpoch
        /// Whether no waiter is left that needs the work.
        let isLast: Bool
    }

    struct Waiter: SlotElement, Sendable {
        let operationID: OperationID
        let flight: FlightID
        /// The epoch of the flight, which may be removed before the waiter.
        let epoch: FlightEpoch
        /// The index among the waiters of the flight.
        var index: Int32
        /// The number of dependents removed since the list was last cleaned.
        var staleDependentCount: Int32 = 0
        /// Whether the waiter began the flight.
        let isLeader: Bool
        var isPaused: Bool
        /// The share requested by the submitter; nil when only other flights need the waiter.
        var requested: PriorityShare?
        /// The flights that depend on this waiter, possibly with removed ones.
        var dependents = TinyArray<FlightID>()
        /// The highest of `requested` and the shares of `dependents`.
        var share: PriorityShare

        mutating func clear() {
            dependents = TinyArray()
        }
    }

    struct Flight: SlotElement, Sendable {
        /// The operation that began the flight, whose work the waiters share.
        let leader: OperationID
        let lane: LaneID
        let epoch: FlightEpoch
        /// The optional attributes; nil for most flights.
        fileprivate(set) var attributes: FlightAttributes?
        var phase: FlightPhase
        var waiters = TinyArray<WaiterID>()
        /// The number of paused waiters.
        var pausedCount: Int32 = 0
        var dependencies: TinyArray<WaiterID>
        var share: PriorityShare
        /// The version of the live entry among the ready ones of the lane.
        var entryVersion: UInt32 = 0
        var isObserved: Bool
        /// Whether the waiter that began the flight has left it.
        var hasLeaderLeft = false

        mutating func clear() {
            attributes = nil
            waiters = TinyArray()
            dependencies = TinyArray()
        }
    }

    /// The number of removed dependents that a waiter's list may contain beyond the number of live ones.
    static var staleDependentLimit: Int { 8 }

    let configuration: LaneConfiguration
    var waiters = SlotTable<Waiter, WaiterTag>()
    var flights = SlotTable<Flight, FlightTag>()
    var joinableFlights: [JoinKey: FlightID] = [:]
    var lanes = SlotTable<LaneState, LaneTag>()
    var laneIDs: [Lane: LaneID] = [:]
    /// The most recently used lane.
    var latestLane: (lane: Lane, id: LaneID)?
    var exclusionGroups: [String: ExclusionGroup] = [:]
    var pausedScopes: Set<LaneScope> = []
    var isDraining = false
    var timers = PriorityHeap<TimerEntry>()
    /// The earliest time for which the caller has received `wake`.
    var nextWakeTime: Duration?
    var sequenceNumber: UInt64 = 0
    /// The number of queued operations without a flight.
    var queuedCount = 0
    /// The pending steps of the current event: a list, so that long chains need no deep stack.
    var steps: [Step] = []
    /// The exclusion groups that steps refer to by index, each with the lane of the flight that released it.
    var releasedExclusionGroups: [(name: String, lane: LaneID)] = []
    /// The effects of the current event.
    var effects: [Effect] = []

    enum Step: Sendable {
        case complete(WaiterID, CompletionStatus)
        case release(WaiterID)
        /// A source of a waiter's share has risen.
        case raisePriority(WaiterID, PriorityShare)
        /// A source of a waiter's share has fallen or is gone.
        case lowerPriority(WaiterID)
        case fill(LaneID)
        /// The index is one in `releasedExclusionGroups`.
        case startNextExcluded(Int)
    }

    init(configuration: LaneConfiguration) {
        self.configuration = configuration
    }

    /// Whether no operation is queued, waiting or running.
    var isIdle: Bool { flights.count == 0 && queuedCount == 0 }

    /// The number of queued, waiting and running operations.
    var operationCount: Int { waiters.count + queuedCount }

    /// The size of a copy in slots.
    var capacity: Int { max(waiters.capacity, flights.capacity) }

    /// The epoch after all flights begun so far.
    var epoch: FlightEpoch { FlightEpoch(sequenceNumber: sequenceNumber) }

    /// Returns the epoch in which the flight of a waiter began.
    func epoch(of waiter: WaiterID) -> FlightEpoch { waiters[waiter].epoch }

    /// Returns the priority share of a flight.
    func share(of flight: FlightID) -> PriorityShare { flights[flight].share }

    /// Returns the consumer that a waiter was submitted for.
    func consumer(of waiter: WaiterID) -> OperationConsumer {
        waiters.contains(waiter) ? waiters[waiter].requested?.consumer ?? .none : .none
    }

    /// Returns the phase of a waiter's flight; nil after completion.
    func phase(of waiter: WaiterID) -> FlightPhase? {
        guard waiters.contains(waiter), flights.contains(waiters[waiter].flight) else { return nil }
        return phase(of: waiter, in: flights[waiters[waiter].flight].phase)
    }

    /// Returns the phase of a waiter, which may be paused while others of its flight are not.
    func phase(of waiter: WaiterID, in phase: FlightPhase) -> FlightPhase {
        waiters[waiter].isPaused && !phase.hasSlot ? .paused : phase
    }

    /// Returns the operation whose work a waiter shares.
    func leader(of waiter: WaiterID) -> OperationID { flights[waiters[waiter].flight].leader }

    /// Whether a flight has waiters.
    func hasWaiters(_ flight: FlightID) -> Bool { !flights[flight].waiters.isEmpty }

    /// Returns the flight that an operation with these attributes may join.
    ///
    /// - Parameter noOlderThan: An epoch before which no joinable flight may have begun.
    func flight(joinableBy attributes: FlightAttributes?, noOlderThan: FlightEpoch?) -> FlightID? {
        guard let key = attributes?.key, let flight = joinableFlights[key] else { return nil }
        if let noOlderThan, flights[flight].epoch <= noOlderThan { return nil }
        return flight
    }

    /// Returns the operation of a flight that depends on any waiter of a flight.
    func parent(of flight: FlightID) -> OperationID? {
        for waiter in flights[flight].waiters {
            if let parent = parent(of: waiter) { return parent }
        }
        return nil
    }

    /// Returns the operation of a flight that depends on a waiter.
    func parent(of waiter: WaiterID) -> OperationID? {
        guard !waiters[waiter].dependents.isEmpty else { return nil }
        return waiters[waiter].dependents.first { flights.contains($0) }.map { flights[$0].leader }
    }
}
