import Synchronization
import Timing

/// A queue that runs operations in lanes: highest priority first, one flight per key, dependencies before dependents.
///
/// `OperationSchedule` makes the decisions; the queue guards it with a lock and performs its effects after unlocking.
/// Tasks run on the given executor, so that tests can run all of them on one thread in a deterministic order. Their task priority is
/// `userInitiated`, also for background operations: each task performs operations of many submitters, and lanes limit the work in the background.
public final class BackendQueue: Sendable {
    /// The default number of remaining bytes below which an abandoned transfer is completed instead of cancelled.
    public static let finishBytes = 16_384
    /// The maximum number of remaining bytes of an abandoned transfer that is completed because less than a tenth of it remains.
    package static let finishLimit = 65_536
    /// The default number of events in the record of a queue.
    public static let recordLimit = 2_048
    private static let lastNumber = Atomic<UInt32>(0)

    let state: Mutex<State>
    let executor: (any TaskExecutor)?
    let finishBytes: Int
    /// Whether any lane measures its link and adapts its width.
    let isAdaptive: Bool
    /// Whether the queue records decisions, which requires reading the clock before each lock acquisition.
    let isTracing: Bool
    let stopwatch: Stopwatch
    /// The number of the queue in the process. Its address would not identify it, because a later queue may have the same one.
    let number = BackendQueue.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue

    struct State: ~Copyable {
        /// The monotonic time of the latest lock acquisition; zero when nothing is recorded.
        var time = Duration.zero
        var schedule: OperationSchedule
        var operations = OperationTable()
        var log: OperationLog
        var consumerCount: UInt32 = 0
        var pendingEffects = PendingEffects()
        /// The effects of the current event; empty between two events.
        var effects: [OperationSchedule.Effect] = []
        var isShutDown = false
        var servesStaleResponses = false
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
        /// Operations that another thread cancelled or paused while they were being submitted.
        var deferredChanges = TinyArray<AnyOperation>()
        /// The timer of the next scheduled event.
        var timer: Task<Void, Never>?
    }

    /// Effects that were collected under the lock and are performed after unlocking.
    struct PendingEffects: ~Copyable {
        struct Flight {
            let id: FlightID
            let operation: AnyOperation
        }

        /// The effects that most events do not have.
        struct RareEffects {
            var checks: [Flight] = []
            var coldStarts: [FlightID] = []
            var interrupted: [AnyOperation] = []
            var retries: [(operation: AnyOperation, event: RetryEvent)] = []
            var idleWaiters: [CheckedContinuation<Void, Never>] = []
            /// Progress whose readers must be notified.
            var progress: [OperationProgress] = []
            var wakeTime: Duration?
        }

        var runs = TinyArray<Flight>()
        /// Operations whose observers must be notified.
        var changed = TinyArray<AnyOperation>()
        var released = ReleasedReferences()
        private(set) var rareEffects: RareEffects?

        var isEmpty: Bool { runs.isEmpty && changed.isEmpty && released.isEmpty && rareEffects == nil }

        mutating func add(_ change: (inout RareEffects) -> Void) {
            var effects = rareEffects.take() ?? RareEffects()
            change(&effects)
            self.rareEffects = effects
        }

        /// Replaces a progress by that of other work, and notifies its readers later.
        mutating func setSuccessor(_ successor: OperationProgress, of progress: OperationProgress) {
            progress.setSuccessor(successor)
            add { $0.progress.append(progress) }
        }
    }

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - finishBytes: A running operation with fewer remaining bytes is not cancelled when its last waiter leaves, nor is one that has reported
    ///     nine tenths; 0 cancels all.
    ///   - recordLimit: The maximum number of recorded events; 0 disables the record.
    ///   - clock: The clock for retries and deadlines.
    ///   - executor: The executor of the operations' tasks; nil for the default executor.
    public init(
        lanes: LaneConfiguration = LaneConfiguration(), finishBytes: Int = BackendQueue.finishBytes,
        recordLimit: Int = BackendQueue.recordLimit,
        clock: some Clock<Duration> = ContinuousClock(), executor: (any TaskExecutor)? = nil
    ) {
        let stopwatch = Stopwatch(clock)
        self.state = Mutex(State(schedule: OperationSchedule(configuration: lanes), log: OperationLog(limit: recordLimit)))
        self.stopwatch = stopwatch
        self.finishBytes = finishBytes
        isAdaptive = lanes.isAdaptive
        isTracing = recordLimit > 0
        self.executor = executor
    }

    deinit {
        state.withLock { $0.timer?.cancel() }
    }

    /// The current epoch. Operations that are submitted with it as `noOlderThan` join only flights that begin later.
    public var epoch: QueueEpoch { QueueEpoch(state.withLock { $0.schedule.epoch }, of: self) }

    /// Returns the epoch in which the flight of an operation of this queue began, equal for all operations that share it; nil before submission.
    package func epoch(of operation: BackendOperation<some Sendable>) -> QueueEpoch? {
        operation.erased.flightEpoch.map { QueueEpoch($0, of: self) }
    }

    /// The queue of the operation whose work runs in the current task; nil elsewhere.
    package static var current: BackendQueue? { RunningOperation.current?.box.withLock { $0.running?.worker.queue } }

    /// Whether the network lanes are paused because there is no network, and stale responses of caches are served meanwhile.
    package var servesStaleResponses: Bool {
        get { state.withLock { $0.servesStaleResponses } }
        set { state.withLock { $0.servesStaleResponses = newValue } }
    }

    /// Whether no operation is waiting or running.
    public var isIdle: Bool { state.withLock { $0.schedule.isIdle } }

    /// The status of all lanes in use or recently used, sorted by name.
    public var lanes: [LaneStatus] {
        var lanes: [LaneStatus] = []
        change { lanes = $0.schedule.laneStatuses }
        return lanes.sorted { $0.lane.name < $1.lane.name }
    }

    /// Creates a consumer that is distinct from all others of this queue.
    public func makeConsumer() -> OperationConsumer {
        state.withLock { state in
            state.consumerCount += 1
            return OperationConsumer(number: state.consumerCount)
        }
    }

    /// Starts a task on the executor of the operations; the caller owns and cancels it.
    ///
    /// The task is detached: a worker performs the flights of many submitters, and inherits no priority or task-local values from one of them.
    package func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // A task without a preference need not look it up at every suspension.
        guard let executor else { return Task.detached(priority: .userInitiated) { await work() } }
        return Task.detached(executorPreference: executor, priority: .userInitiated) { await work() }
    }
}

// MARK: - Cancelling, pausing and shutting down

extension BackendQueue {
    /// Cancels all waiting and running operations.
    public func cancelAll() {
        change { $0.handle(.cancelAll) }
    }

    /// Pauses lanes: no operation starts in them until `resume`, while running operations continue.
    ///
    /// Pausing a scope twice is pausing it once; a lane in two paused scopes starts again after both are resumed.
    public func pause(_ scope: LaneScope = .all) {
        change { $0.handle(.pause(scope)) }
    }

    /// Resumes lanes after `pause` of the same scope.
    public func resume(_ scope: LaneScope = .all) {
        change { $0.handle(.resume(scope)) }
    }

    /// Waits until no operation is waiting or running, including those submitted meanwhile. Cancelling the waiting task does not end the wait.
    public nonisolated(nonsending) func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            change { $0.idleWaiters.append(continuation) }
        }
    }

    /// Rejects new operations, cancels waiting and running ones, and waits until all their tasks have ended.
    ///
    /// Operations that are submitted later fail with `OperationError.queueShutDown`.
    /// - Parameter gracefully: Whether submitted operations are completed instead of cancelled. Operations that are or become paused, alone or
    ///   with their lane, are cancelled.
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
            guard let waiter = state.waiter(of: operation, in: self) else { return }
            state.handle(isPaused ? .pauseWaiter(waiter) : .resumeWaiter(waiter))
            guard let phase = state.schedule.phase(of: waiter) else { return }
            operation.recordState(OperationState(phase))
            state.pendingEffects.changed.append(operation)
        }
    }

    func prioritize(_ operation: AnyOperation, _ priority: OperationPriority) {
        change { state in
            guard let waiter = state.waiter(of: operation, in: self) else { return }
            state.handle(.prioritize(waiter, PriorityShare(priority: priority, consumer: state.schedule.consumer(of: waiter))))
        }
    }

    /// Marks a flight as nearly complete when few of its bytes remain.
    func reportRemaining(_ bytes: Int, of total: Int, in flight: FlightID) {
        guard finishBytes > 0, bytes < max(finishBytes, min(total / 10, Self.finishLimit)) else { return }
        change { $0.handle(.finishing(flight)) }
    }

    /// Whether the transfer of an operation, or of all its pending dependencies, completes even if no waiter is left.
    func isFinishing(_ operation: AnyOperation) -> Bool {
        state.withLock { state in
            guard case .waiter(let waiter) = operation.position else { return false }
            return state.schedule.isFinishing(waiter)
        }
    }

    /// Returns the state of an operation that has not completed; nil for any other.
    func state(of operation: AnyOperation) -> OperationState? {
        state.withLock { state in
            switch operation.position {
            case .detached: nil
            case .queued: .ready
            case .waiter(let waiter): state.schedule.phase(of: waiter).map { OperationState($0) }
            }
        }
    }

    /// Returns a stream of the current and all later states of an operation; nil when it has completed.
    func states(of operation: AnyOperation) -> AsyncStream<OperationState>? {
        var states: AsyncStream<OperationState>?
        change { state in
            guard let waiter = state.waiter(of: operation, in: self) else { return }
            state.handle(.observe(waiter))
            states = state.schedule.phase(of: waiter).flatMap { operation.subscribe(from: OperationState($0), in: self) }
        }
        return states
    }

    private func sendEvent(for operation: AnyOperation, _ event: (WaiterID) -> OperationSchedule.Event) {
        change { state in
            if let waiter = state.waiter(of: operation, in: self) { state.handle(event(waiter)) }
        }
    }
}
