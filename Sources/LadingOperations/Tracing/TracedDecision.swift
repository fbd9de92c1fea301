import Synchronization

/// One thing that a queue decided: what became of which operation, for whom, and by which law.
public struct TracedDecision: Sendable {
    /// What became of the operation.
    public enum Outcome: String, CaseIterable, Sendable {
        /// It shares the flight of another.
        case joined
        /// It has a flight of its own.
        case began
        /// Whether its conditions hold is being found out.
        case checking
        /// It starts nothing until it is resumed.
        case paused
        /// Another of its exclusion runs.
        case excluded
        /// Its flight has a slot.
        case started
        /// It failed, and is to be tried again.
        case resting
        /// Its flight was stopped.
        case interrupted
        case succeeded, failed, cancelled
        /// It ended unrun, because of what it depends on.
        case dependencyFailed
        /// It had not ended by its deadline.
        case expired
        /// Nothing has to be done: what was wanted is kept in memory.
        case known
    }

    /// Counts the decisions of a queue from 0.
    public let number: Int
    /// When the thread that decided it came to the queue, since the queue was made; never before the time of an earlier decision.
    public let time: Duration
    /// The name of the operation.
    public let operation: String
    public let outcome: Outcome
    /// Counts the flights of a queue: operations that share one have the same. Nil when nothing has to be done.
    public let flight: UInt64?
    public let lane: Lane
    public let priority: OperationPriority
    public let viewer: OperationViewer
    /// The name of an operation that waits for this one; nil when none does.
    public let parent: String?
    public let law: Law
}

extension BackendQueue {
    /// Lets the trace tell that some things are seen for which nothing has to be done, because they are kept in memory.
    ///
    /// - Parameter names: What they are, for people: `Order 17`.
    public func noteKnown(_ names: [String], for viewer: OperationViewer = .nobody) {
        let time = stopwatch.elapsed()
        state.withLock { state in
            guard state.log.limit > 0 else { return }
            state.time = max(state.time, time)
            for name in names {
                state.log.append(TracedDecision(known: name, number: state.log.decisions.total, at: state.time, for: viewer))
            }
        }
    }

    /// What the queue decided last, oldest first, as far back as its record reaches.
    ///
    /// - Parameter count: Decisions numbered less than this are left out: those that the caller has already.
    public func trace(from count: Int = 0) -> [TracedDecision] {
        var decisions: [TracedDecision] = []
        change { decisions = $0.log.decisions.elements(after: count) }
        return decisions
    }

    /// Tells each decision from now on while it is made, as long as the queue keeps a record.
    ///
    /// - Parameter tell: Called under the lock of the queue: it must be quick, and must not call the queue.
    package func onDecision(_ tell: @escaping @Sendable (TracedDecision) -> Void) {
        change { $0.log.listener = tell }
    }

    /// The events that the queue decided on last, for those who want to replay them; none while it has more wishes than its record has room for.
    var record: DecisionRecord<OperationSchedule> {
        takeIn()
        return state.withLock { $0.log.record }
    }
}

// Each tells of an effect that it was decided, the schedule being as it is after the event.
extension BackendQueue.State {
    mutating func trace(_ enlistment: Enlistment, of wish: WishID, _ operation: AnyOperation) {
        guard schedule.wishes.contains(wish), schedule.flights.contains(schedule.wishes[wish].flight) else { return }
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: enlistment == .joined ? .joined : .began,
                flight: schedule.mark(of: wish).arrivals, lane: operation.lane, priority: schedule.wishes[wish].claim.priority,
                viewer: schedule.wishes[wish].claim.viewer, parent: schedule.parent(of: wish).map { roster[$0].name },
                law: enlistment == .renewed ? .generations : .oneFlight))
    }

    mutating func trace(_ place: PlaceInLine, _ operation: AnyOperation) {
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: .began, flight: place.mark.arrivals,
                lane: operation.lane, priority: place.claim.priority, viewer: place.claim.viewer, parent: nil, law: .oneFlight))
    }

    mutating func trace(
        _ outcome: TracedDecision.Outcome, of flight: FlightID, _ operation: AnyOperation, _ law: Law
    ) {
        guard schedule.flights.contains(flight) else { return }
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: outcome,
                flight: schedule.flights[flight].mark.arrivals, lane: operation.lane, priority: schedule.flights[flight].claim.priority,
                viewer: schedule.flights[flight].claim.viewer, parent: schedule.parent(of: flight).map { roster[$0].name }, law: law))
    }

    mutating func trace(
        _ settlement: Settlement, of operation: AnyOperation, _ circumstances: OperationSchedule.Circumstances
    ) {
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: .init(settlement),
                flight: circumstances.flight.arrivals, lane: operation.lane, priority: circumstances.claim.priority,
                viewer: circumstances.claim.viewer, parent: circumstances.parent.map { roster[$0].name }, law: settlement.law))
    }
}

extension TracedDecision {
    fileprivate init(known name: String, number: Int, at time: Duration, for viewer: OperationViewer) {
        self.init(
            number: number, time: time, operation: name, outcome: .known, flight: nil, lane: .memory, priority: .visible, viewer: viewer,
            parent: nil, law: .identity)
    }
}

extension FlightPhase {
    /// What is told of a turn into this phase; nil where its cause is told instead.
    var asTraced: (TracedDecision.Outcome, Law)? {
        switch self {
        case .held: (.paused, .decisionsAreValues)
        case .excluded: (.excluded, .decisionsAreValues)
        case .resting: (.resting, .failedIsNotFinal)
        case .waiting, .checking, .abandoned, .ready, .running, .landing, .interrupted, .continuing: nil
        }
    }
}

extension TracedDecision.Outcome {
    fileprivate init(_ settlement: Settlement) {
        switch settlement {
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .dependencyFailed: self = .dependencyFailed
        case .cancelled: self = .cancelled
        case .expired: self = .expired
        }
    }
}

extension Settlement {
    fileprivate var law: Law {
        switch self {
        case .succeeded, .cancelled: .oneFlight
        case .failed: .failedIsNotFinal
        case .dependencyFailed: .dependents
        case .expired: .decisionsAreValues
        }
    }
}

extension TracedDecision: CustomStringConvertible {
    public var description: String {
        let parent = parent.map { " for \"\($0)\"" } ?? ""
        return
            "\(operation): \(outcome.rawValue) in \(lane.name), \(priority.urgency) \(priority.distance), \(viewer)\(parent) (law \(law.rawValue))"
    }
}
