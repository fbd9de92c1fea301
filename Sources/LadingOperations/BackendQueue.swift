import Synchronization

/// Runs operations in lanes: most urgent first, one flight per key, dependencies before dependents.
///
/// The decisions are those of `OperationSchedule`; this shell guards it with a lock and performs its effects after unlocking.
/// Tasks run on the given executor, which is how a test runs everything in one thread and one order.
public final class BackendQueue: Sendable {
    typealias Schedule = OperationSchedule<any QueuedOperation>

    /// How many bytes may remain of a transfer that is finished although nobody wants it any more, unless told otherwise.
    public static let finishBytes = 16_384
    /// How many events the record of a queue reaches back, unless told otherwise.
    public static let recordLimit = 2_048

    private let state: Mutex<State>
    private let executor: (any TaskExecutor)?
    private let finishBytes: Int

    struct State {
        var schedule: Schedule
        var record: DecisionRecord<OperationSchedule<String>>
        var viewers: UInt32 = 0
        /// What the events under the lock have decided, to be performed after it.
        var effects: [Schedule.Effect] = []
        /// Operations that ended before they became wishes, because what they depend on had failed.
        var endedUnsubmitted: [any QueuedOperation] = []
    }

    /// - Parameters:
    ///   - finishBytes: A running operation that has reported fewer bytes to come than this is not cancelled when the last wish for it leaves.
    ///   - recordLimit: How many events are kept to tell what happened; 0 keeps none.
    ///   - executor: What the tasks of operations run on; nil for Swift's own.
    public init(
        lanes: LanePlan = LanePlan(), finishBytes: Int = BackendQueue.finishBytes, recordLimit: Int = BackendQueue.recordLimit,
        executor: (any TaskExecutor)? = nil
    ) {
        self.state = Mutex(State(schedule: OperationSchedule(plan: lanes), record: DecisionRecord(limit: recordLimit)))
        self.finishBytes = finishBytes
        self.executor = executor
    }

    /// A moment to hand to `submit` as `notBefore`: operations then join only flights that begin after it.
    public var mark: OperationMark { state.withLock { $0.schedule.mark } }

    /// Whether no operation waits or runs.
    public var isIdle: Bool { state.withLock { $0.schedule.isIdle } }

    /// A viewer that is told apart from all others of this queue.
    public func makeViewer() -> OperationViewer {
        state.withLock { state in
            state.viewers += 1
            return OperationViewer(number: state.viewers)
        }
    }

    /// Submits an operation, and whatever it depends on that is not submitted yet.
    ///
    /// An operation belongs to one queue. Submitting it again changes its priority.
    /// - Parameters:
    ///   - viewer: For whom it runs; lanes are shared fairly among viewers.
    ///   - notBefore: Neither the operation nor what is submitted with it joins a flight that began before this moment.
    public func submit<Value>(
        _ operation: BackendOperation<Value>, priority: OperationPriority, for viewer: OperationViewer = .nobody,
        notBefore: OperationMark? = nil
    ) {
        precondition(operation.queue == nil || operation.queue === self, "an operation belongs to one queue")
        let claim = Claim(priority: priority, viewer: viewer)
        change { state in
            if operation.isNew {
                enlist(operation, .asked(claim), notBefore: notBefore, &state)
                // It may have been cancelled on another thread in the meantime.
                if operation.result != nil, let wish = operation.wish { state.handle(.withdraw(wish)) }
            } else if let wish = operation.wish {
                state.handle(.ask(wish, claim))
            }
        }
    }

    /// Submits an operation and waits for its value; the operation is cancelled when the waiting task is.
    public func value<Value>(
        of operation: BackendOperation<Value>, priority: OperationPriority, for viewer: OperationViewer = .nobody,
        notBefore: OperationMark? = nil
    ) async throws -> Value {
        submit(operation, priority: priority, for: viewer, notBefore: notBefore)
        return try await withTaskCancellationHandler {
            try await operation.value
        } onCancel: {
            operation.cancel()
        }
    }

    /// Cancels everything that waits or runs.
    public func cancelAll() {
        change { $0.handle(.withdrawAll) }
    }

    /// Starts nothing more in these lanes until they are resumed; what runs there goes on.
    ///
    /// Pausing a scope twice is pausing it once; a lane that lies in two paused scopes waits for both to be resumed.
    public func pause(_ scope: LaneScope = .all) {
        change { $0.handle(.pause(scope)) }
    }

    public func resume(_ scope: LaneScope = .all) {
        change { $0.handle(.resume(scope)) }
    }

    func withdraw(_ operation: any QueuedOperation) {
        change { state in
            if let wish = operation.wish { state.handle(.withdraw(wish)) }
        }
    }

    func prioritize(_ operation: any QueuedOperation, _ priority: OperationPriority) {
        change { state in
            guard let wish = operation.wish else { return }
            state.handle(.ask(wish, Claim(priority: priority, viewer: state.schedule.viewer(of: wish))))
        }
    }

    /// Begins a task on what the tasks of operations run on; whoever calls owns it and cancels it.
    package func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: executor) { await work() }
    }

    /// The events that the queue decided on last, for those who want to replay them.
    var record: DecisionRecord<OperationSchedule<String>> { state.withLock { $0.record } }
}

// MARK: - Submitting

extension BackendQueue {
    /// Makes wishes of an operation and of what it waits for, dependencies first, without a deep stack.
    private func enlist(
        _ root: any QueuedOperation, _ demand: Demand, notBefore: OperationMark? = nil, _ state: inout State
    ) {
        var stack = [root]
        while let operation = stack.last {
            guard operation.isNew else { stack.removeLast(); continue }
            let demand = operation === root ? demand : .expected(demand.claim)
            var submission = operation.submission
            submission.notBefore = notBefore
            if let flight = state.schedule.flight(joinableBy: submission) {
                state.handle(.join(flight, operation, demand), in: self)
                continue
            }
            let unsubmitted = operation.waitsFor.filter(\.isNew)
            guard unsubmitted.isEmpty else { stack += unsubmitted.reversed(); continue }
            begin(operation, submission, demand, &state)
        }
    }

    private func begin(_ operation: any QueuedOperation, _ submission: Submission, _ demand: Demand, _ state: inout State) {
        let dependencies = operation.waitsFor
        let wishes = dependencies.compactMap(\.wish)
        if !submission.runsAnyway, let failed = dependencies.lazy.compactMap(\.failure).first {
            operation.end(failed is CancellationError ? .cancelled : .dependencyFailed, .failure(failed))
            state.endedUnsubmitted.append(operation)
            for wish in wishes { state.handle(.letGo(wish)) }
            return
        }
        state.handle(.begin(submission, operation, demand, after: wishes), in: self)
    }
}

// MARK: - Performing

extension BackendQueue.State {
    /// Tells the schedule an event and keeps the record; effects gather until the lock is released.
    ///
    /// - Parameters:
    ///   - queue: That in which operations are enlisted, when the event can enlist any.
    ///   - outcome: How the flight ended that the event reports; its value or error is that of all its wishes.
    mutating func handle(
        _ event: BackendQueue.Schedule.Event, in queue: BackendQueue? = nil,
        outcome: @autoclosure () -> WorkOutcome = .failure(CancellationError())
    ) {
        if record.needsChapter { record.beginChapter(with: schedule.mapPayloads(\.name)) }
        let first = effects.count
        schedule.handle(event, effects: &effects)
        if record.limit > 0 { record.note(event.mapPayload(\.name), effects[first...].lazy.map { $0.mapPayload(\.name) }) }
        for effect in effects[first...] {
            switch effect {
            case .enlist(let wish, let operation, let joined):
                queue.map { operation.enlisted(in: $0, as: wish, of: schedule.mark(of: wish), joined: joined) }
            case .settle(_, let operation, let settlement): operation.end(settlement, outcome())
            case .run, .interrupt: break
            }
        }
    }
}

extension BackendQueue {
    /// Changes the schedule under the lock and performs the effects after it.
    ///
    /// Results are written under the lock: a dependent may begin on another thread as soon as it is released, and reads them.
    private func change(_ event: (inout State) -> Void) {
        let (effects, ended) = state.withLock { state in
            event(&state)
            defer { (state.effects, state.endedUnsubmitted) = ([], []) }
            return (state.effects, state.endedUnsubmitted)
        }
        for effect in effects { perform(effect) }
        for operation in ended { operation.announce() }
    }

    private func perform(_ effect: Schedule.Effect) {
        switch effect {
        case .enlist: break
        case .run(let flight, let operation): start(flight, operation)
        case .interrupt(_, let operation): operation.interrupt()
        case .settle(_, let operation, _): operation.announce()
        }
    }

    private func start(_ flight: FlightID, _ operation: any QueuedOperation) {
        let progress = OperationProgress(finishBytes: finishBytes) { [weak self] in
            self?.change { $0.handle(.nearEnd(flight)) }
        }
        operation.start(on: executor, reportingTo: progress) { self.finish(flight, $0) }
    }

    private func finish(_ flight: FlightID, _ outcome: WorkOutcome) {
        change { state in
            guard case .next(let next) = outcome else {
                return state.handle(.finish(flight, outcome.settlement), outcome: outcome)
            }
            // The next operation may have the key of the one that named it: it must not join it.
            state.handle(.close(flight))
            enlist(next, .expected(state.schedule.claim(of: flight)), &state)
            if let wish = next.wish {
                state.handle(.proceed(flight, with: wish), outcome: .failure(OperationError.cycle(next.name)))
            } else {
                let end = next.outcome ?? .failure(CancellationError())
                state.handle(.finish(flight, end.settlement), outcome: end)
            }
        }
    }
}

extension QueuedOperation {
    fileprivate var failure: (any Error)? {
        if case .failure(let error) = outcome { error } else { nil }
    }
}

extension WorkOutcome {
    fileprivate var settlement: Settlement {
        switch self {
        case .value: .succeeded
        case .failure(let error): error is CancellationError ? .cancelled : .failed
        case .next: preconditionFailure("a flight that continues has not ended")
        }
    }
}
