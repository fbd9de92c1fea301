import Synchronization

/// Runs operations in lanes: most urgent first, one flight per key, dependencies before dependents.
///
/// The decisions are those of `OperationSchedule`; this shell guards it with a lock and performs its effects after unlocking.
/// Tasks run on the given executor, which is how a test runs everything in one thread and one order.
public final class BackendQueue: Sendable {
    typealias Schedule = OperationSchedule<AnyOperation>

    /// How many bytes may remain of a transfer that is finished although nobody wants it any more, unless told otherwise.
    public static let finishBytes = 16_384
    /// How many events the record of a queue reaches back, unless told otherwise.
    public static let recordLimit = 2_048

    let state: Mutex<State>
    private let executor: (any TaskExecutor)?
    private let finishBytes: Int
    private let stopwatch: Stopwatch

    struct State {
        var schedule: Schedule
        var log: OperationLog
        var viewers: UInt32 = 0
        var todo = Todo()
        /// What an event came to; empty between two of them.
        var effects: [Schedule.Effect] = []
        var isShutDown = false
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
        /// Operations that were cancelled or paused on another thread while they were being submitted.
        var changedMeanwhile: ShortList<AnyOperation> = []
        /// What rings next.
        var alarm: Task<Void, Never>?
    }

    /// What the events under the lock have come to, to be performed after it.
    struct Todo {
        struct Flight {
            let id: FlightID
            let operation: AnyOperation
        }

        var runs: ShortList<Flight> = []
        var checks: ShortList<Flight> = []
        var interrupted: ShortList<AnyOperation> = []
        /// Those that have something to tell.
        var changed: ShortList<AnyOperation> = []
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
        var alarm: Duration?
    }

    /// - Parameters:
    ///   - finishBytes: A running operation that has reported fewer bytes to come than this is not cancelled when the last wish for it leaves.
    ///   - recordLimit: How many events are kept to tell what happened; 0 keeps none.
    ///   - clock: Tells when operations that failed are tried again, and when deadlines have passed.
    ///   - executor: What the tasks of operations run on; nil for Swift's own.
    public init(
        lanes: LanePlan = LanePlan(), finishBytes: Int = BackendQueue.finishBytes, recordLimit: Int = BackendQueue.recordLimit,
        clock: some Clock<Duration> = ContinuousClock(), executor: (any TaskExecutor)? = nil
    ) {
        self.state = Mutex(State(schedule: OperationSchedule(plan: lanes), log: OperationLog(limit: recordLimit)))
        self.finishBytes = finishBytes
        self.stopwatch = Stopwatch(clock)
        self.executor = executor
    }

    deinit {
        state.withLock { $0.alarm?.cancel() }
    }

    /// A moment to hand to `submit` as `notBefore`: operations then join only flights that begin after it.
    public var mark: OperationMark { state.withLock { $0.schedule.mark } }

    /// Whether no operation waits or runs.
    public var isIdle: Bool { state.withLock { $0.schedule.isIdle } }

    /// The lanes that something is in or was in lately, by name.
    public var lanes: [LaneStatus] { state.withLock { $0.schedule.laneStatuses }.sorted { $0.lane.name < $1.lane.name } }

    /// A viewer that is told apart from all others of this queue.
    public func makeViewer() -> OperationViewer {
        state.withLock { state in
            state.viewers += 1
            return OperationViewer(number: state.viewers)
        }
    }

    /// Begins a task on what the tasks of operations run on; whoever calls owns it and cancels it.
    package func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: executor) { await work() }
    }
}

// MARK: - Submitting

extension BackendQueue {
    /// Submits an operation, and whatever it depends on that is not submitted yet.
    ///
    /// An operation belongs to one queue. Submitting it again changes its priority.
    /// - Parameters:
    ///   - viewer: For whom it runs; lanes are shared fairly among viewers.
    ///   - notBefore: Neither the operation nor what is submitted with it joins a flight that began before this moment.
    ///   - deadline: How long from now it may take, waiting included; after that it fails with `OperationError.deadlineExceeded`.
    public func submit<Value>(
        _ operation: BackendOperation<Value>, priority: OperationPriority, for viewer: OperationViewer = .nobody,
        notBefore: OperationMark? = nil, deadline: Duration? = nil
    ) {
        submit(operation.erased, priority: priority, for: viewer, notBefore: notBefore, deadline: deadline)
    }

    /// Submits an operation, and whatever it depends on that is not submitted yet.
    public func submit(
        _ operation: AnyOperation, priority: OperationPriority, for viewer: OperationViewer = .nobody,
        notBefore: OperationMark? = nil, deadline: Duration? = nil
    ) {
        let claim = Claim(priority: priority, viewer: viewer)
        change { state in
            switch operation.standing {
            case .new where state.isShutDown:
                if operation.end(.failed, .failure(OperationError.queueShutDown), isOver: true) { state.todo.changed.append(operation) }
            case .new:
                enlist(operation, .asked(claim), notBefore: notBefore, deadline: deadline.map { stopwatch.elapsed() + $0 }, &state)
            case .wished(let wish):
                precondition(operation.queue === self, "an operation belongs to one queue")
                state.handle(.ask(wish, claim), at: stopwatch)
            case .ended: break
            }
        }
    }

    /// Submits an operation and waits for its value; the operation is cancelled when the waiting task is.
    public func value<Value>(
        of operation: BackendOperation<Value>, priority: OperationPriority, for viewer: OperationViewer = .nobody,
        notBefore: OperationMark? = nil, deadline: Duration? = nil
    ) async throws -> Value {
        submit(operation, priority: priority, for: viewer, notBefore: notBefore, deadline: deadline)
        return try await withTaskCancellationHandler {
            try await operation.value
        } onCancel: {
            operation.cancel()
        }
    }

    /// Makes wishes of an operation and of what it waits for, dependencies first, without a deep stack.
    private func enlist(
        _ root: AnyOperation, _ demand: Demand, notBefore: OperationMark? = nil, deadline: Duration? = nil, _ state: inout State
    ) {
        var stack: ShortList<AnyOperation> = [root]
        while let operation = stack.last {
            guard operation.isNew else { stack.swapRemove(at: stack.count - 1); continue }
            var submission = operation.submission
            submission.notBefore = notBefore
            submission.deadline = operation === root ? deadline : nil
            let demand = operation === root ? demand : .expected(demand.claim)
            if let flight = state.schedule.flight(joinableBy: submission) {
                state.handle(.join(flight, submission, operation, demand), in: self, at: stopwatch)
                continue
            }
            let dependencies = operation.waitsFor
            let unsubmitted = dependencies.filter(\.isNew)
            guard unsubmitted.isEmpty else {
                for dependency in unsubmitted.reversed() { stack.append(dependency) }
                continue
            }
            begin(operation, submission, demand, after: dependencies, &state)
        }
        state.reviewChangedMeanwhile(at: stopwatch)
    }

    private func begin(
        _ operation: AnyOperation, _ submission: Submission, _ demand: Demand, after dependencies: ShortList<AnyOperation>,
        _ state: inout State
    ) {
        var wishes: ShortList<WishID> = []
        var failure: (any Error)?
        for dependency in dependencies {
            switch dependency.standing {
            case .wished(let wish): wishes.append(wish)
            case .ended(let error): failure = failure ?? error
            case .new: break
            }
        }
        guard let failure, !submission.runsAnyway else {
            return state.handle(.begin(submission, operation, demand, after: wishes), in: self, at: stopwatch)
        }
        if operation.end(failure is CancellationError ? .cancelled : .dependencyFailed, .failure(failure), isOver: true) {
            state.todo.changed.append(operation)
        }
        for wish in wishes { state.handle(.letGo(wish), at: stopwatch) }
    }
}

// MARK: - Changing one's mind

extension BackendQueue {
    /// Cancels everything that waits or runs.
    public func cancelAll() {
        change { $0.handle(.withdrawAll, at: stopwatch) }
    }

    /// Starts nothing more in these lanes until they are resumed; what runs there goes on.
    ///
    /// Pausing a scope twice is pausing it once; a lane that lies in two paused scopes waits for both to be resumed.
    public func pause(_ scope: LaneScope = .all) {
        change { $0.handle(.pause(scope), at: stopwatch) }
    }

    public func resume(_ scope: LaneScope = .all) {
        change { $0.handle(.resume(scope), at: stopwatch) }
    }

    /// Waits until no operation waits or runs; what is submitted meanwhile is waited for too. Does not end early when the task is cancelled.
    public func idle() async {
        await withCheckedContinuation { continuation in
            change { $0.idleWaiters.append(continuation) }
        }
    }

    /// Takes no more operations, cancels those that wait or run, and waits until none of their tasks is left.
    ///
    /// What is submitted from now on fails with `OperationError.queueShutDown`.
    /// - Parameter finishing: Whether what has been submitted is finished instead of cancelled.
    public func shutDown(finishing: Bool = false) async {
        change { state in
            state.isShutDown = true
            if !finishing { state.handle(.withdrawAll, at: stopwatch) }
        }
        await idle()
        let alarm = state.withLock { $0.alarm.take() }
        alarm?.cancel()
    }

    func withdraw(_ operation: AnyOperation) { tell(of: operation) { .withdraw($0) } }

    func setPaused(_ isPaused: Bool, _ operation: AnyOperation) {
        change { state in
            guard let wish = operation.wish else { return }
            state.handle(isPaused ? .hold(wish) : .free(wish), at: stopwatch)
            guard let phase = state.schedule.phase(of: wish) else { return }
            operation.note(OperationState(phase))
            state.todo.changed.append(operation)
        }
    }

    func prioritize(_ operation: AnyOperation, _ priority: OperationPriority) {
        change { state in
            guard let wish = operation.wish else { return }
            state.handle(.ask(wish, Claim(priority: priority, viewer: state.schedule.viewer(of: wish))), at: stopwatch)
        }
    }

    /// So many bytes are still to come in a flight.
    func noteRest(_ bytes: Int, of flight: FlightID) {
        guard bytes < finishBytes else { return }
        change { $0.handle(.nearEnd(flight), at: stopwatch) }
    }

    /// The state of an operation that has not ended.
    func state(of operation: AnyOperation) -> OperationState? {
        state.withLock { state in operation.wish.flatMap { state.schedule.phase(of: $0) }.map { OperationState($0) } }
    }

    /// The state of an operation and each it comes into from now on; nil when it has ended.
    func follow(_ operation: AnyOperation) -> AsyncStream<OperationState>? {
        state.withLock { state in
            guard let wish = operation.wish else { return nil }
            state.handle(.watch(wish), at: stopwatch)
            return state.schedule.phase(of: wish).flatMap { operation.follow(from: OperationState($0), in: self) }
        }
    }

    private func tell(of operation: AnyOperation, _ event: (WishID) -> Schedule.Event) {
        change { state in
            if let wish = operation.wish { state.handle(event(wish), at: stopwatch) }
        }
    }
}

// MARK: - Performing

extension BackendQueue.State {
    /// Tells the schedule an event and keeps the record; what is to be done gathers until the lock is released.
    ///
    /// - Parameters:
    ///   - queue: That in which operations are enlisted, when the event can enlist any.
    ///   - outcome: How the flight ended that the event reports; its value or error is that of all its wishes.
    mutating func handle(
        _ event: BackendQueue.Schedule.Event, in queue: BackendQueue? = nil, at stopwatch: Stopwatch,
        outcome: @autoclosure () -> WorkOutcome = .failure(CancellationError())
    ) {
        if log.needsChapter(forWishes: schedule.wishCount) { log.beginChapter(with: schedule.mapPayloads(\.name)) }
        let law = schedule.lawOfNewFlight(in: event)
        schedule.handle(event, effects: &effects)
        log.note(event, effects)
        if log.limit > 0, !effects.isEmpty { trace(at: stopwatch.elapsed(), law) }
        for effect in effects {
            switch effect {
            case .enlist(let wish, let operation, let joined):
                guard let queue else { continue }
                let isUnchanged = operation.enlisted(
                    in: queue, as: wish, isPaused: schedule.wishes[wish].isPaused, of: schedule.mark(of: wish),
                    joining: joined ? schedule.leader(of: wish) : nil)
                if !isUnchanged { changedMeanwhile.append(operation) }
            case .check(let flight, let operation): todo.checks.append(.init(id: flight, operation: operation))
            case .run(let flight, let operation): todo.runs.append(.init(id: flight, operation: operation))
            case .interrupt(_, let operation): todo.interrupted.append(operation)
            case .turn(let flight, _, let phase): noteTurn(of: flight, phase)
            case .settle(_, let operation, let settlement, let circumstances):
                if operation.end(settlement, outcome(), isOver: circumstances.isLast) { todo.changed.append(operation) }
            case .wake(let time): todo.alarm = time
            }
        }
        effects.removeAll(keepingCapacity: true)
    }

    /// What was cancelled or paused while it was not in the queue yet is so now.
    fileprivate mutating func reviewChangedMeanwhile(at stopwatch: Stopwatch) {
        for operation in changedMeanwhile {
            guard let wish = operation.wish else { continue }
            let (isEnded, isPaused) = operation.box.withLock { ($0.result != nil, $0.isPaused) }
            handle(isEnded ? .withdraw(wish) : isPaused ? .hold(wish) : .free(wish), at: stopwatch)
        }
        changedMeanwhile = []
    }

    private mutating func trace(at time: Duration, _ lawOfNewFlight: Law) {
        for effect in effects {
            if let decision = schedule.decision(effect, number: log.decisions.total, at: time, lawOfNewFlight) { log.append(decision) }
        }
    }

    private mutating func noteTurn(of flight: FlightID, _ phase: FlightPhase) {
        guard schedule.flights.contains(flight), schedule.flights[flight].isWatched else { return }
        for wish in schedule.flights[flight].wishes {
            let operation = schedule.wishes[wish].payload
            operation.note(OperationState(schedule.phase(of: wish, in: phase)))
            todo.changed.append(operation)
        }
    }
}

extension BackendQueue {
    /// Changes the schedule under the lock and performs what it comes to after it.
    ///
    /// Results are written under the lock: a dependent may begin on another thread as soon as it is released, and reads them.
    private func change(_ event: (inout State) -> Void) {
        var todo = decide(event)
        perform(&todo)
        for run in todo.runs { begin(run) }
    }

    private func decide(_ event: (inout State) -> Void) -> Todo {
        state.withLock { state in
            event(&state)
            if !state.idleWaiters.isEmpty, state.schedule.isIdle { swap(&state.idleWaiters, &state.todo.idleWaiters) }
            var todo = Todo()
            swap(&todo, &state.todo)
            return todo
        }
    }

    /// Performs everything but the runs.
    private func perform(_ todo: inout Todo) {
        for operation in todo.interrupted { operation.interrupt() }
        for operation in todo.changed { operation.announce() }
        for flight in todo.checks { check(flight) }
        for waiter in todo.idleWaiters { waiter.resume() }
        if let time = todo.alarm { ring(at: time) }
    }

    private func begin(_ flight: Todo.Flight) {
        let worker = OperationWorker(in: self)
        worker.adopt(Task(executorPreference: executor) { await self.work(on: flight, worker) })
    }

    /// Does the work of a flight, and then that of others as long as there are any.
    private func work(on first: Todo.Flight, _ worker: OperationWorker) async {
        var next: Todo.Flight? = first
        var turns = 0
        while let flight = next {
            worker.take(flight.id)
            let outcome = await flight.operation.perform(by: worker)
            next = finish(flight, outcome)
            turns += 1
            if turns % OperationWorker.turns == 0 { await Task.yield() }
        }
    }

    /// Gives what the same worker is to do next.
    private func finish(_ flight: Todo.Flight, _ outcome: WorkOutcome) -> Todo.Flight? {
        var todo = decide { end(flight, outcome, &$0) }
        perform(&todo)
        // A worker that was cancelled is of no use to others.
        let next = flight.operation.wasInterrupted || Task.isCancelled ? nil : todo.runs.takeFirst()
        for run in todo.runs { begin(run) }
        return next
    }

    private func end(_ flight: Todo.Flight, _ outcome: WorkOutcome, _ state: inout State) {
        switch outcome {
        case .value, .failure: state.handle(.finish(flight.id, outcome.settlement), at: stopwatch, outcome: outcome)
        case .again(let delay): state.handle(.rest(flight.id, until: stopwatch.elapsed() + delay), at: stopwatch)
        case .next where !state.schedule.isWanted(flight.id): state.handle(.finish(flight.id, .cancelled), at: stopwatch)
        case .next(let next):
            flight.operation.continues(with: next)
            goOn(flight.id, with: next, &state)
        }
    }

    private func goOn(_ flight: FlightID, with next: AnyOperation, _ state: inout State) {
        // The next operation may have the key of the one that named it: it must not join it.
        state.handle(.close(flight), at: stopwatch)
        enlist(next, .expected(state.schedule.claim(of: flight)), &state)
        switch next.standing {
        case .wished(let wish):
            state.handle(.proceed(flight, with: wish), at: stopwatch, outcome: .failure(OperationError.cycle(next.name)))
        case .ended(let error):
            let outcome = error.map { WorkOutcome.failure($0) } ?? .value(next)
            state.handle(.finish(flight, outcome.settlement), at: stopwatch, outcome: outcome)
        case .new: preconditionFailure("what is enlisted is a wish or has ended")
        }
    }

    private func check(_ flight: Todo.Flight) {
        flight.operation.check(by: OperationWorker(in: self), on: executor) { [weak self] error in
            guard let self else { return }
            change { state in
                guard let error else { return state.handle(.met(flight.id), at: self.stopwatch) }
                let outcome = WorkOutcome.failure(error)
                state.handle(.finish(flight.id, outcome.settlement), at: self.stopwatch, outcome: outcome)
            }
        }
    }

    /// Rings once at this time, instead of whenever it would have rung next.
    private func ring(at time: Duration) {
        let alarm = task { [weak self, stopwatch] in
            guard (try? await stopwatch.sleep(time)) != nil else { return }
            self?.change { state in
                state.handle(.ring(stopwatch.elapsed()), at: stopwatch, outcome: .failure(OperationError.deadlineExceeded))
            }
        }
        let former = state.withLock { state -> Task<Void, Never>? in
            // Another thread may have set an earlier one meanwhile.
            guard state.schedule.nextAlarm == time else { return alarm }
            defer { state.alarm = alarm }
            return state.alarm
        }
        former?.cancel()
    }
}

extension WorkOutcome {
    fileprivate var settlement: Settlement {
        switch self {
        case .value: .succeeded
        case .failure(let error): error is CancellationError ? .cancelled : .failed
        case .again, .next: preconditionFailure("a flight that goes on has not ended")
        }
    }
}
