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
        case awaitingRetry = "resting"
        /// Its flight was stopped.
        case interrupted
        case succeeded, failed, cancelled
        /// It ended unrun, because of what it depends on.
        case dependencyFailed
        /// It had not ended by its deadline.
        case expired
        /// Nothing has to be done: what was wanted is kept in memory.
        case cacheHit = "known"
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
    public let consumer: OperationConsumer
    /// The name of an operation that waits for this one; nil when none does.
    public let parent: String?
    public let reason: SchedulingReason
}

extension BackendQueue {
    /// Lets the trace tell that some things are seen for which nothing has to be done, because they are kept in memory.
    ///
    /// - Parameter names: What they are, for people: `Order 17`.
    public func recordCacheHits(_ names: [String], for consumer: OperationConsumer = .none) {
        let time = stopwatch.elapsed()
        state.withLock { state in
            guard state.log.limit > 0 else { return }
            state.time = max(state.time, time)
            for name in names {
                state.log.append(TracedDecision(cacheHit: name, number: state.log.decisions.total, at: state.time, for: consumer))
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
    package func onDecision(_ observer: @escaping @Sendable (TracedDecision) -> Void) {
        change { $0.log.listener = observer }
    }

    /// The events that the queue decided on last, for those who want to replay them; none while it has more wishes than its record has room for.
    var record: DecisionRecord<OperationSchedule> {
        drainInbox()
        return state.withLock { $0.log.record }
    }
}

// Each tells of an effect that it was decided, the schedule being as it is after the event.
extension BackendQueue.State {
    mutating func trace(_ result: JoinResult, of waiter: WaiterID, _ operation: AnyOperation) {
        guard schedule.waiters.contains(waiter), schedule.flights.contains(schedule.waiters[waiter].flight) else { return }
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: result == .joined ? .joined : .began,
                flight: schedule.epoch(of: waiter).sequenceNumber, lane: operation.lane, priority: schedule.waiters[waiter].share.priority,
                consumer: schedule.waiters[waiter].share.consumer, parent: schedule.parent(of: waiter).map { operations[$0].name },
                reason: result == .beganAnew ? .staleGeneration : .singleFlight))
    }

    mutating func trace(_ entry: QueuedEntry, _ operation: AnyOperation) {
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: .began, flight: entry.epoch.sequenceNumber,
                lane: operation.lane, priority: entry.share.priority, consumer: entry.share.consumer, parent: nil, reason: .singleFlight))
    }

    mutating func trace(
        _ outcome: TracedDecision.Outcome, of flight: FlightID, _ operation: AnyOperation, _ reason: SchedulingReason
    ) {
        guard schedule.flights.contains(flight) else { return }
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: outcome,
                flight: schedule.flights[flight].epoch.sequenceNumber, lane: operation.lane, priority: schedule.flights[flight].share.priority,
                consumer: schedule.flights[flight].share.consumer, parent: schedule.parent(of: flight).map { operations[$0].name }, reason: reason))
    }

    mutating func trace(
        _ status: CompletionStatus, of operation: AnyOperation, _ context: OperationSchedule.CompletionContext
    ) {
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: .init(status),
                flight: context.flightEpoch.sequenceNumber, lane: operation.lane, priority: context.share.priority,
                consumer: context.share.consumer, parent: context.parent.map { operations[$0].name }, reason: status.reason))
    }
}

extension TracedDecision {
    fileprivate init(cacheHit name: String, number: Int, at time: Duration, for consumer: OperationConsumer) {
        self.init(
            number: number, time: time, operation: name, outcome: .cacheHit, flight: nil, lane: .memory, priority: .visible, consumer: consumer,
            parent: nil, reason: .rowIdentity)
    }
}

extension FlightPhase {
    /// What is told of a turn into this phase; nil where its cause is told instead.
    var traceEntry: (TracedDecision.Outcome, SchedulingReason)? {
        switch self {
        case .paused: (.paused, .queueState)
        case .excluded: (.excluded, .queueState)
        case .awaitingRetry: (.awaitingRetry, .retryable)
        case .waiting, .checking, .checkInterrupted, .ready, .running, .nearlyComplete, .interrupted, .continuing: nil
        }
    }
}

extension TracedDecision.Outcome {
    fileprivate init(_ status: CompletionStatus) {
        switch status {
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .dependencyFailed: self = .dependencyFailed
        case .cancelled: self = .cancelled
        case .expired: self = .expired
        }
    }
}

extension CompletionStatus {
    fileprivate var reason: SchedulingReason {
        switch self {
        case .succeeded, .cancelled: .singleFlight
        case .failed: .retryable
        case .dependencyFailed: .dependency
        case .expired: .queueState
        }
    }
}

extension TracedDecision: CustomStringConvertible {
    public var description: String {
        let parent = parent.map { " for \"\($0)\"" } ?? ""
        return
            "\(operation): \(outcome.rawValue) in \(lane.name), \(priority.urgency) \(priority.distance), \(consumer)\(parent) (law \(reason.rawValue))"
    }
}
