import Synchronization

/// Runs operations in lanes: most urgent first, one flight per key, dependencies before dependents.
///
/// The decisions are those of `OperationSchedule`; this shell guards it with a lock and performs its effects after unlocking.
/// Tasks run on the given executor, which is how a test runs everything in one thread and one order.
public final class BackendQueue: Sendable {
    private typealias Schedule = OperationSchedule<any QueuedOperation>

    private let schedule: Mutex<Schedule>
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: What the tasks of operations run on; nil for Swift's own.
    public init(lanes: LanePlan = LanePlan(), executor: (any TaskExecutor)? = nil) {
        self.schedule = Mutex(OperationSchedule(plan: lanes))
        self.executor = executor
    }

    /// A moment to hand to `submit` as `notBefore`: operations then join only flights that begin after it.
    public var mark: OperationMark { schedule.withLock { $0.mark } }

    /// Whether no operation waits or runs.
    public var isIdle: Bool { schedule.withLock { $0.isIdle } }

    /// Submits an operation, and whatever it depends on that is not submitted yet.
    ///
    /// An operation belongs to one queue. Submitting it again changes its priority.
    /// - Parameter notBefore: Neither the operation nor what is submitted with it joins a flight that began before this moment.
    public func submit<Value>(
        _ operation: BackendOperation<Value>, priority: OperationPriority, notBefore: OperationMark? = nil
    ) {
        precondition(operation.queue == nil || operation.queue === self, "an operation belongs to one queue")
        change { schedule, effects in
            guard operation.outcome == nil else { return nil }
            if let wish = operation.wish {
                schedule.ask(wish, priority, effects: &effects)
            } else {
                enlist(operation, asked: priority, notBefore: notBefore, in: &schedule, &effects)
            }
            // It may have been cancelled on another thread in the meantime.
            if operation.outcome != nil, let wish = operation.wish { schedule.withdraw(wish, effects: &effects) }
            return nil
        }
    }

    /// Submits an operation and waits for its value; the operation is cancelled when the waiting task is.
    public func value<Value>(
        of operation: BackendOperation<Value>, priority: OperationPriority, notBefore: OperationMark? = nil
    ) async throws -> Value {
        submit(operation, priority: priority, notBefore: notBefore)
        return try await withTaskCancellationHandler {
            try await operation.value
        } onCancel: {
            operation.cancel()
        }
    }

    /// Cancels everything that waits or runs.
    public func cancelAll() {
        change { schedule, effects in
            schedule.withdrawAll(effects: &effects)
            return nil
        }
    }

    func withdraw(_ operation: any QueuedOperation) {
        change { schedule, effects in
            if let wish = operation.wish { schedule.withdraw(wish, effects: &effects) }
            return nil
        }
    }

    func prioritize(_ operation: any QueuedOperation, _ priority: OperationPriority) {
        change { schedule, effects in
            if let wish = operation.wish { schedule.ask(wish, priority, effects: &effects) }
            return nil
        }
    }
}

// MARK: - Submitting

extension BackendQueue {
    /// Makes wishes of an operation and of what it waits for, dependencies first, without a deep stack.
    private func enlist(
        _ root: any QueuedOperation, asked: OperationPriority?, notBefore: OperationMark? = nil,
        in schedule: inout Schedule, _ effects: inout [Schedule.Effect]
    ) {
        var stack = [root]
        while let operation = stack.last {
            guard operation.wish == nil, operation.outcome == nil else { stack.removeLast(); continue }
            let isRoot = operation === root
            var submission = operation.submission
            submission.notBefore = notBefore
            if let flight = schedule.flight(joinableBy: submission) {
                let wish = schedule.join(flight, payload: operation, asked: isRoot ? asked : nil, effects: &effects)
                operation.enlisted(in: self, as: wish, joined: true)
                continue
            }
            let unknown = operation.waitsFor.filter { $0.wish == nil && $0.outcome == nil }
            guard unknown.isEmpty else { stack += unknown.reversed(); continue }
            begin(operation, submission, asked: isRoot ? asked : nil, in: &schedule, &effects)
        }
    }

    private func begin(
        _ operation: any QueuedOperation, _ submission: Schedule.Submission, asked: OperationPriority?,
        in schedule: inout Schedule, _ effects: inout [Schedule.Effect]
    ) {
        let dependencies = operation.waitsFor
        if !submission.runsAnyway, let failed = dependencies.lazy.compactMap(\.failure).first {
            let isCancelled = failed is CancellationError
            operation.end(isCancelled ? .cancelled : .dependencyFailed, .failure(failed))
            return effects.append(.settle(operation, isCancelled ? .cancelled : .dependencyFailed))
        }
        let wish = schedule.begin(
            submission, payload: operation, asked: asked, dependencies: dependencies.compactMap(\.wish),
            effects: &effects)
        operation.enlisted(in: self, as: wish, joined: false)
    }
}

// MARK: - Performing

extension BackendQueue {
    /// Changes the schedule under the lock and performs the effects after it.
    ///
    /// Results are written under the lock: a dependent may begin on another thread as soon as it is released, and reads them.
    ///
    /// - Parameter event: Returns the outcome that flights ended with, if it ended any by more than cancelling them.
    private func change(_ event: (inout Schedule, inout [Schedule.Effect]) -> WorkOutcome?) {
        let effects = schedule.withLock { schedule in
            var effects: [Schedule.Effect] = []
            let outcome = event(&schedule, &effects) ?? .failure(CancellationError())
            for case .settle(let operation, let settlement) in effects { operation.end(settlement, outcome) }
            return effects
        }
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: Schedule.Effect) {
        switch effect {
        case .run(let flight, let operation):
            operation.start(on: executor) { self.finish(flight, $0) }
        case .interrupt(let operation):
            operation.interrupt()
        case .settle(let operation, _):
            operation.announce()
        }
    }

    private func finish(_ flight: FlightID, _ outcome: WorkOutcome) {
        change { schedule, effects in
            guard case .next(let next) = outcome else {
                schedule.finish(flight, outcome.settlement, effects: &effects)
                return outcome
            }
            // The next operation may have the key of the one that named it: it must not wait for itself.
            schedule.stopJoining(flight)
            enlist(next, asked: nil, in: &schedule, &effects)
            if let wish = next.wish {
                schedule.finish(flight, continuingWith: wish, effects: &effects)
                return nil
            }
            let end = next.outcome ?? .failure(CancellationError())
            schedule.finish(flight, end.settlement, effects: &effects)
            return end
        }
    }
}

extension QueuedOperation {
    fileprivate var failure: (any Error)? {
        if case .failure(let error) = outcome { error } else { nil }
    }
}

extension WorkOutcome {
    fileprivate var settlement: OperationSchedule<any QueuedOperation>.Settlement {
        switch self {
        case .value: .succeeded
        case .failure(let error): error is CancellationError ? .cancelled : .failed
        case .next: preconditionFailure("a flight that continues has not ended")
        }
    }
}
