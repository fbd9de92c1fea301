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
    let isGauging: Bool
    /// Whether it keeps a record, for which the clock is read at each visit.
    let isTracing: Bool
    let stopwatch: Stopwatch

    struct State: ~Copyable {
        /// When a thread came to the queue to decide, or left something in its inbox, and never before the time of the one before it; zero where no
        /// record is kept.
        var time = Duration.zero
        var schedule: OperationSchedule
        var roster = OperationRoster()
        var log: OperationLog
        var viewers: UInt32 = 0
        var todo = Todo()
        /// What an event came to; empty between two of them.
        var effects: [OperationSchedule.Effect] = []
        var isShutDown = false
        let inbox: SubmissionInbox
        /// What operations are left for in the inbox.
        var inboxLane: LaneID?
        /// What was found there; empty between two visits.
        var letters: [SubmissionInbox.Letter] = []
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
        /// Operations that were cancelled or paused on another thread while they were being submitted.
        var changedMeanwhile = ShortList<AnyOperation>()
        /// What rings next.
        var alarm: Task<Void, Never>?
    }

    /// What the events under the lock have come to, to be performed after it.
    struct Todo: ~Copyable {
        struct Flight {
            let id: FlightID
            let operation: AnyOperation
        }

        /// What few events come to.
        struct RareWork {
            var checks: [Flight] = []
            var coldStarts: [FlightID] = []
            var interrupted: [AnyOperation] = []
            var setbacks: [(operation: AnyOperation, setback: OperationSetback)] = []
            var idleWaiters: [CheckedContinuation<Void, Never>] = []
            var alarm: Duration?
        }

        var runs = ShortList<Flight>()
        /// Those that have something to tell.
        var changed = ShortList<AnyOperation>()
        private(set) var rareWork: RareWork?

        var isEmpty: Bool { runs.isEmpty && changed.isEmpty && rareWork == nil }

        mutating func add(_ change: (inout RareWork) -> Void) {
            var rareWork = rareWork.take() ?? RareWork()
            change(&rareWork)
            self.rareWork = rareWork
        }
    }

    /// - Parameters:
    ///   - finishBytes: A running operation that has reported fewer bytes to come than this is not cancelled when the last wish for it leaves, nor is
    ///     one that has reported nine tenths; with 0 all are.
    ///   - recordLimit: How many events are kept to tell what happened; 0 keeps none.
    ///   - clock: Tells when operations that failed are tried again, and when deadlines have passed.
    ///   - executor: What the tasks of operations run on; nil for Swift's own.
    public init(
        lanes: LanePlan = LanePlan(), finishBytes: Int = BackendQueue.finishBytes, recordLimit: Int = BackendQueue.recordLimit,
        clock: some Clock<Duration> = ContinuousClock(), executor: (any TaskExecutor)? = nil
    ) {
        let stopwatch = Stopwatch(clock)
        let inbox = SubmissionInbox()
        self.inbox = inbox
        self.state = Mutex(State(schedule: OperationSchedule(plan: lanes), log: OperationLog(limit: recordLimit), inbox: inbox))
        self.stopwatch = stopwatch
        self.finishBytes = finishBytes
        isGauging = lanes.isGauging
        isTracing = recordLimit > 0
        self.executor = executor
    }

    deinit {
        state.withLock { $0.alarm?.cancel() }
    }

    /// A moment to hand to `submit` as `notBefore`: operations then join only flights that begin after it.
    public var mark: OperationMark {
        takeIn()
        return state.withLock { $0.schedule.mark }
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
    public func makeViewer() -> OperationViewer {
        state.withLock { state in
            state.viewers += 1
            return OperationViewer(number: state.viewers)
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
        change { $0.handle(.withdrawAll) }
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
    public nonisolated(nonsending) func idle() async {
        await withCheckedContinuation { continuation in
            change { $0.idleWaiters.append(continuation) }
        }
    }

    /// Takes no more operations, cancels those that wait or run, and waits until none of their tasks is left.
    ///
    /// What is submitted from now on fails with `OperationError.queueShutDown`.
    /// - Parameter finishing: Whether what has been submitted is finished instead of cancelled. What is paused, alone or with its lane, would never
    ///   end and is cancelled all the same, now or when it is paused later on.
    public nonisolated(nonsending) func shutDown(finishing: Bool = false) async {
        change { state in
            state.isShutDown = true
            state.handle(finishing ? .windUp : .withdrawAll)
        }
        await idle()
        let alarm = state.withLock { $0.alarm.take() }
        alarm?.cancel()
    }

    func withdraw(_ operation: AnyOperation) { tell(of: operation) { .withdraw($0) } }

    func setPaused(_ isPaused: Bool, _ operation: AnyOperation) {
        change { state in
            guard let wish = state.wish(of: operation) else { return }
            state.handle(isPaused ? .hold(wish) : .free(wish))
            guard let phase = state.schedule.phase(of: wish) else { return }
            operation.note(OperationState(phase))
            state.todo.changed.append(operation)
        }
    }

    func prioritize(_ operation: AnyOperation, _ priority: OperationPriority) {
        change { state in
            guard let wish = state.wish(of: operation) else { return }
            state.handle(.ask(wish, Claim(priority: priority, viewer: state.schedule.viewer(of: wish))))
        }
    }

    /// So many of all the bytes of a flight are still to come.
    func noteRest(_ bytes: Int, of total: Int, in flight: FlightID) {
        guard finishBytes > 0, bytes < max(finishBytes, min(total / 10, Self.finishLimit)) else { return }
        change { $0.handle(.nearEnd(flight)) }
    }

    /// Whether the transfer of an operation, or that which it waits for, is to be finished whoever wants it.
    func isNearEnd(_ operation: AnyOperation) -> Bool {
        state.withLock { state in
            guard case .wish(let wish) = operation.place else { return false }
            return state.schedule.isNearEnd(wish)
        }
    }

    /// The state of an operation that has not ended.
    func state(of operation: AnyOperation) -> OperationState? {
        state.withLock { state in
            switch operation.place {
            case .nowhere: nil
            case .posted, .inLine: .ready
            case .wish(let wish): state.schedule.phase(of: wish).map { OperationState($0) }
            }
        }
    }

    /// The state of an operation and each it comes into from now on; nil when it has ended.
    func follow(_ operation: AnyOperation) -> AsyncStream<OperationState>? {
        var states: AsyncStream<OperationState>?
        change { state in
            guard let wish = state.wish(of: operation) else { return }
            state.handle(.watch(wish))
            states = state.schedule.phase(of: wish).flatMap { operation.follow(from: OperationState($0), in: self) }
        }
        return states
    }

    private func tell(of operation: AnyOperation, _ event: (WishID) -> OperationSchedule.Event) {
        change { state in
            if let wish = state.wish(of: operation) { state.handle(event(wish)) }
        }
    }
}
