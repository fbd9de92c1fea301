import Synchronization

/// Runs operations in lanes: most urgent first, one flight per key, dependencies before dependents.
///
/// The decisions are those of `OperationSchedule`; this shell guards it with a lock and performs its effects after unlocking.
/// Tasks run on the given executor, which is how a test runs everything in one thread and one order.
public final class BackendQueue: Sendable {
    /// How many bytes may remain of a transfer that is finished although nobody wants it any more, unless told otherwise.
    public static let finishBytes = 16_384
    /// A transfer of which less than a tenth remains is finished too, as long as that is no more than this many bytes.
    public static let finishLimit = 65_536
    /// How many events the record of a queue reaches back, unless told otherwise.
    public static let recordLimit = 2_048

    let state: Mutex<State>
    let inbox: SubmissionInbox
    let executor: (any TaskExecutor)?
    let finishBytes: Int
    /// Whether a lane is to find out what its line carries.
    let isAdaptive: Bool
    /// Whether it keeps a record, for which the clock is read at each visit.
    let isTracing: Bool
    let stopwatch: Stopwatch

    struct State: ~Copyable {
        /// When a thread came to the queue to decide, or left something in its inbox, and never before the time of the one before it; zero where no
        /// record is kept.
        var time = Duration.zero
        var schedule: OperationSchedule
        var operations = OperationTable()
        var log: OperationLog
        var consumerCount: UInt32 = 0
        var pendingEffects = PendingEffects()
        /// What an event came to; empty between two of them.
        var effects: [OperationSchedule.Effect] = []
        var isShutDown = false
        let inbox: SubmissionInbox
        /// What operations are left for in the inbox.
        var inboxLane: LaneID?
        /// What was found there; empty between two visits.
        var submissions: [SubmissionInbox.Submission] = []
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
        /// Operations that were cancelled or paused on another thread while they were being submitted.
        var deferredChanges = TinyArray<AnyOperation>()
        /// What rings next.
        var timer: Task<Void, Never>?
    }

    /// What the events under the lock have come to, to be performed after it.
    struct PendingEffects: ~Copyable {
        struct Flight {
            let id: FlightID
            let operation: AnyOperation
        }

        /// What few events come to.
        struct RareEffects {
            var checks: [Flight] = []
            var coldStarts: [FlightID] = []
            var interrupted: [AnyOperation] = []
            var retries: [(operation: AnyOperation, setback: RetryEvent)] = []
            var idleWaiters: [CheckedContinuation<Void, Never>] = []
            var wakeTime: Duration?
        }

        var runs = TinyArray<Flight>()
        /// Those that have something to tell.
        var changed = TinyArray<AnyOperation>()
        private(set) var rareEffects: RareEffects?

        var isEmpty: Bool { runs.isEmpty && changed.isEmpty && rareEffects == nil }

        mutating func add(_ change: (inout RareEffects) -> Void) {
            var rareWork = rareEffects.take() ?? RareEffects()
            change(&rareWork)
            self.rareEffects = rareWork
        }
    }

    /// - Parameters:
    ///   - finishBytes: A running operation that has reported fewer bytes to come than this is not cancelled when the last wish for it leaves, nor is
    ///     one that has reported nine tenths; with 0 all are.
    ///   - recordLimit: How many events are kept to tell what happened; 0 keeps none.
    ///   - clock: Tells when operations that failed are tried again, and when deadlines have passed.
    ///   - executor: What the tasks of operations run on; nil for Swift's own.
    public init(
        lanes: LaneConfiguration = LaneConfiguration(), finishBytes: Int = BackendQueue.finishBytes, recordLimit: Int = BackendQueue.recordLimit,
        clock: some Clock<Duration> = ContinuousClock(), executor: (any TaskExecutor)? = nil
    ) {
        let stopwatch = Stopwatch(clock)
        let inbox = SubmissionInbox()
        self.inbox = inbox
        self.state = Mutex(State(schedule: OperationSchedule(configuration: lanes), log: OperationLog(limit: recordLimit), inbox: inbox))
        self.stopwatch = stopwatch
        self.finishBytes = finishBytes
        isAdaptive = lanes.isAdaptive
        isTracing = recordLimit > 0
        self.executor = executor
    }

    deinit {
        state.withLock { $0.timer?.cancel() }
    }

    /// A moment to hand to `submit` as `notBefore`: operations then join only flights that begin after it.
    public var epoch: QueueEpoch {
        drainInbox()
        return state.withLock { $0.schedule.epoch }
    }

    /// Whether no operation waits or runs.
    public var isIdle: Bool { state.withLock { $0.schedule.isIdle } }

    /// The lanes that something is in or was in lately, by name.
    public var lanes: [LaneStatus] {
        var lanes: [LaneStatus] = []
        change { lanes = $0.schedule.laneStatuses }
        return lanes.sorted { $0.lane.name < $1.lane.name }
    }

    /// A viewer that is told apart from all others of this queue.
    public func makeConsumer() -> OperationConsumer {
        state.withLock { state in
            state.consumerCount += 1
            return OperationConsumer(number: state.consumerCount)
        }
    }

    /// Begins a task on what the tasks of operations run on; whoever calls owns it and cancels it.
    package func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // A task without a preference is spared from looking for it at every turn.
        guard let executor else { return Task { await work() } }
        return Task(executorPreference: executor) { await work() }
    }
}

// MARK: - Changing one's mind

extension BackendQueue {
    /// Cancels everything that waits or runs.
    public func cancelAll() {
        change { $0.handle(.cancelAll) }
    }

    /// Starts nothing more in these lanes until they are resumed; what runs there goes on.
    ///
    /// Pausing a scope twice is pausing it once; a lane that lies in two paused scopes waits for both to be resumed.
    public func pause(_ scope: LaneScope = .all) {
        change { $0.handle(.pause(scope)) }
    }

    /// Starts again what these lanes have room for; undoes `pause` of the same scope.
    public func resume(_ scope: LaneScope = .all) {
        change { $0.handle(.resume(scope)) }
    }

    /// Waits until no operation waits or runs; what is submitted meanwhile is waited for too. Does not end early when the task is cancelled.
    public nonisolated(nonsending) func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            change { $0.idleWaiters.append(continuation) }
        }
    }

    /// Takes no more operations, cancels those that wait or run, and waits until none of their tasks is left.
    ///
    /// What is submitted from now on fails with `OperationError.queueShutDown`.
    /// - Parameter finishing: Whether what has been submitted is finished instead of cancelled. What is paused, alone or with its lane, would never
    ///   end and is cancelled all the same, now or when it is paused later on.
    public nonisolated(nonsending) func shutDown(gracefully: Bool = false) async {
        change { state in
            state.isShutDown = true
            state.handle(gracefully ? .beginDraining : .cancelAll)
        }
        await waitUntilIdle()
        let timer = state.withLock { $0.timer.take() }
        timer?.cancel()
    }

    func cancel(_ operation: AnyOperation) { sendEvent(for: operation) { .cancel($0) } }

    func setPaused(_ isPaused: Bool, _ operation: AnyOperation) {
        change { state in
            guard let waiter = state.waiter(of: operation) else { return }
            state.handle(isPaused ? .pauseWaiter(waiter) : .resumeWaiter(waiter))
            guard let phase = state.schedule.phase(of: waiter) else { return }
            operation.recordState(OperationState(phase))
            state.pendingEffects.changed.append(operation)
        }
    }

    func prioritize(_ operation: AnyOperation, _ priority: OperationPriority) {
        change { state in
            guard let waiter = state.waiter(of: operation) else { return }
            state.handle(.prioritize(waiter, PriorityShare(priority: priority, consumer: state.schedule.consumer(of: waiter))))
        }
    }

    /// So many of all the bytes of a flight are still to come.
    func reportRemaining(_ bytes: Int, of total: Int, in flight: FlightID) {
        guard finishBytes > 0, bytes < max(finishBytes, min(total / 10, Self.finishLimit)) else { return }
        change { $0.handle(.nearlyComplete(flight)) }
    }

    /// Whether the transfer of an operation, or that which it waits for, is to be finished whoever wants it.
    func isNearlyComplete(_ operation: AnyOperation) -> Bool {
        state.withLock { state in
            guard case .waiter(let waiter) = operation.position else { return false }
            return state.schedule.isNearlyComplete(waiter)
        }
    }

    /// The state of an operation that has not ended.
    func state(of operation: AnyOperation) -> OperationState? {
        state.withLock { state in
            switch operation.position {
            case .detached: nil
            case .posted, .queued: .ready
            case .waiter(let waiter): state.schedule.phase(of: waiter).map { OperationState($0) }
            }
        }
    }

    /// The state of an operation and each it comes into from now on; nil when it has ended.
    func states(of operation: AnyOperation) -> AsyncStream<OperationState>? {
        var states: AsyncStream<OperationState>?
        change { state in
            guard let waiter = state.waiter(of: operation) else { return }
            state.handle(.observe(waiter))
            states = state.schedule.phase(of: waiter).flatMap { operation.subscribe(from: OperationState($0), in: self) }
        }
        return states
    }

    private func sendEvent(for operation: AnyOperation, _ event: (WaiterID) -> OperationSchedule.Event) {
        change { state in
            if let waiter = state.waiter(of: operation) { state.handle(event(waiter)) }
        }
    }
}
