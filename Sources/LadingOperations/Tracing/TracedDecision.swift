import Synchronization
import Timing

/// A decision of a queue: the operation, the outcome, the consumer and the reason.
public struct TracedDecision: Sendable {
    /// The outcome of a decision.
    public enum Outcome: String, CaseIterable, Sendable {
        /// The operation shares the flight of another.
        case joined
        /// The operation has a flight of its own.
        case queued
        /// The conditions are being checked.
        case checking
        /// The operation starts after it is resumed.
        case paused
        /// Another operation of its exclusion group is running.
        case excluded
        /// The flight has a slot.
        case started
        /// The work failed and will be retried.
        case awaitingRetry
        /// The flight was interrupted.
        case interrupted
        case succeeded, failed, cancelled
        /// A dependency failed; the work did not run.
        case dependencyFailed
        /// The operation had not completed by its deadline.
        case expired
        /// The result was in the memory cache; no work was needed.
        case cacheHit
    }

    /// The number of the decision in its queue, starting at 0.
    public let number: Int
    /// The time since the queue was created at which the deciding thread entered it; never decreases from one decision to the next.
    public let time: Duration
    /// The name of the operation.
    public let operation: String
    public let outcome: Outcome
    /// The number of the flight, equal for operations that share it; nil for cache hits.
    public let flight: UInt64?
    public let lane: Lane
    public let priority: OperationPriority
    public let consumer: OperationConsumer
    /// The name of an operation that depends on this one; nil when there is none.
    public let parent: String?
    public let reason: SchedulingReason
}

extension BackendQueue {
    /// Adds cache hits to the trace: visible results that needed no work.
    ///
    /// - Parameter names: The names for logs and traces: `Order 17`.
    package func recordCacheHits(_ names: [String], for consumer: OperationConsumer = .none) {
        let time = stopwatch.elapsed()
        state.withLock { state in
            guard state.log.limit > 0 else { return }
            state.time = max(state.time, time)
            for name in names {
                state.log.append(TracedDecision(cacheHit: name, number: state.log.decisions.total, at: state.time, for: consumer))
            }
        }
    }

    /// Returns the last decisions of the queue, oldest first, at most `recordLimit` of them.
    ///
    /// - Parameter number: The number of the first decision to return, counted from 0 over the life of the queue.
    public func trace(from number: Int = 0) -> [TracedDecision] {
        var decisions: [TracedDecision] = []
        change { decisions = $0.log.decisions.elements(after: number) }
        return decisions
    }

    /// Passes each later decision to an observer as it is made, if the queue records decisions.
    ///
    /// - Parameter observer: Called under the lock of the queue: it must be quick and must not call the queue.
    package func onDecision(_ observer: @escaping @Sendable (TracedDecision) -> Void) {
        change { $0.log.listener = observer }
    }

    /// The recorded events and effects for replay; empty while the queue has more operations than `recordLimit`.
    var record: DecisionRecord<OperationSchedule> {
        state.withLock { $0.log.record }
    }
}

// Each method records the decision behind an effect; the schedule is in the state after the event.
extension BackendQueue.State {
    mutating func trace(_ result: JoinResult, of waiter: WaiterID, _ operation: AnyOperation) {
        guard schedule.waiters.contains(waiter), schedule.flights.contains(schedule.waiters[waiter].flight) else { return }
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: result == .joined ? .joined : .queued,
                flight: schedule.epoch(of: waiter).sequenceNumber, lane: operation.lane, priority: schedule.waiters[waiter].share.priority,
                consumer: schedule.waiters[waiter].share.consumer, parent: schedule.parent(of: waiter).map { operations[$0].name },
                reason: result == .createdAgain ? .staleGeneration : .singleFlight))
    }

    mutating func trace(_ entry: QueuedEntry, _ operation: AnyOperation) {
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: .queued, flight: entry.epoch.sequenceNumber,
                lane: operation.lane, priority: entry.share.priority, consumer: entry.share.consumer, parent: nil, reason: .singleFlight))
    }

    mutating func trace(
        _ outcome: TracedDecision.Outcome, of flight: FlightID, _ operation: AnyOperation, _ reason: SchedulingReason
    ) {
        guard schedule.flights.contains(flight) else { return }
        log.append(
            TracedDecision(
                number: log.decisions.total, time: time, operation: operation.name, outcome: outcome,
                flight: schedule.flights[flight].epoch.sequenceNumber, lane: operation.lane,
                priority: schedule.flights[flight].share.priority,
                consumer: schedule.flights[flight].share.consumer, parent: schedule.parent(of: flight).map { operations[$0].name },
                reason: reason))
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
            number: number, time: time, operation: name, outcome: .cacheHit, flight: nil, lane: .memory, priority: .visible,
            consumer: consumer,
            parent: nil, reason: .rowIdentity)
    }
}

extension FlightPhase {
    /// The outcome and reason of a transition to this phase; nil where another effect is traced instead.
    var traceEntry: (TracedDecision.Outcome, SchedulingReason)? {
        switch self {
        case .paused: (.paused, .queueState)
        case .excluded: (.excluded, .queueState)
        case .awaitingRetry: (.awaitingRetry, .retryable)
        case .waiting, .checking, .checkInterrupted, .ready, .running, .finishing, .interrupted, .continuing: nil
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
            "\(operation): \(outcome.rawValue) in \(lane.name), \(priority.urgency) \(priority.distance), \(consumer)\(parent) (reason \(reason.rawValue))"
    }
}
