/// References that are released outside all locks, because the deinitializer of an object in user code may call the operation or its queue.
typealias ReleasedReferences = TinyArray<any Sendable>

extension AnyOperation {
    /// The mutable state of an operation.
    ///
    /// An operation with all its parts takes 120 bytes. One thread allocates it and another one frees it, without contention as long as allocations
    /// are no larger than that (the fast bins of glibc, mallopt(3): `M_MXFAST`). Rarely used properties are in `extras`.
    struct Box {
        private var workState: WorkState
        var position = Position.detached
        var isInterrupted = false
        /// Whether the operation was paused before submission.
        var isPaused = false
        private var links: Links
        private(set) var extras: Extras?
        private var epoch = FlightEpoch.none

        init(work: Work?, dependencies: TinyArray<AnyOperation>, completion: OperationCompletion?) {
            workState = if let completion { .completed(completion) } else { work.map { .pending($0) } ?? .idle }
            links = dependencies.count > 1 ? .dependencies(Array(dependencies)) : dependencies.first.map { .dependency($0) } ?? .none
        }
    }

    /// The state of the work.
    private enum WorkState {
        /// The work has not begun. It is removed when it begins, so that the last operation of a chain does not retain the chain.
        case pending(Work)
        /// A worker performs the work, or checks the conditions, for this flight.
        case running(OperationWorker, FlightID)
        /// The work belongs to another operation, or the schedule has not decided about it.
        case idle
        case completed(OperationCompletion)
    }

    /// The dependencies of an unsubmitted operation, or the queue of a submitted one.
    private enum Links: Sendable {
        case none
        /// The single dependency of an unsubmitted operation.
        case dependency(AnyOperation)
        case dependencies([AnyOperation])
        case queue(BackendQueue)
    }

    /// The position of the operation in its queue.
    enum Position {
        case detached
        /// In the queue of its lane, without a waiter.
        case queued(OperationID)
        case waiter(WaiterID)

        var isDetached: Bool {
            if case .detached = self { true } else { false }
        }
    }

    enum Work: Sendable {
        case value(@Sendable () async throws -> Value)
        /// Produces the operation whose result becomes this one's.
        case next(@Sendable () async throws -> AnyOperation)
    }

    /// The rarely used properties. A class, so that other operations store only a nil reference. Referenced by one box only.
    final class Extras {
        var observers = TinyArray<Observer>()
        var stateObservers: StateObservers?
        var progress: OperationProgress?
        /// The operation whose flight this one joined.
        var leader: AnyOperation?
        /// The operation whose result becomes this one's. Weak, because it is needed only while the queue retains it.
        weak var successor: AnyOperation?
        var retryObservers: RetryObservers?
        /// The timing of a transfer in an adaptive lane.
        var transferTiming: TransferTiming?
        /// The work to be retried, or to be run after its conditions were checked.
        fileprivate var work: Work?
        /// The number of attempts, when the work can be retried.
        fileprivate var attempts = 0
        /// The result, while other operations still need the work.
        fileprivate var completion: OperationCompletion?
    }
}

extension AnyOperation.Box {
    /// The result; nil until the operation has completed.
    var completion: OperationCompletion? {
        if case .completed(let completion) = workState { completion } else { extras?.completion }
    }

    /// The queue that the operation is attached to.
    var queue: BackendQueue? {
        if case .queue(let queue) = links { queue } else { nil }
    }

    /// The dependencies; empty after submission.
    var dependencies: TinyArray<AnyOperation> {
        switch links {
        case .none, .queue: TinyArray()
        case .dependency(let dependency): TinyArray(dependency)
        case .dependencies(let dependencies): TinyArray(dependencies)
        }
    }

    /// The epoch in which the flight began; nil before submission.
    var flightEpoch: FlightEpoch? { epoch == .none ? nil : epoch }

    /// The worker and the flight of the running work.
    var running: (worker: OperationWorker, flight: FlightID)? {
        if case .running(let worker, let flight) = workState { (worker, flight) } else { nil }
    }

    mutating func updateExtras(_ change: (AnyOperation.Extras) -> Void) {
        let extras = extras ?? AnyOperation.Extras()
        change(extras)
        self.extras = extras
    }

    // MARK: Transitions

    /// Attaches the operation to a queue.
    mutating func attach(
        to queue: BackendQueue, at position: AnyOperation.Position, epoch: FlightEpoch, releasing released: inout ReleasedReferences
    ) {
        releaseDependencies(into: &released)
        links = .queue(queue)
        self.position = position
        self.epoch = epoch
    }

    /// Releases the work, which is not needed any more or belongs to another operation.
    mutating func dropWork(into released: inout ReleasedReferences) {
        releaseRetainedWork(into: &released)
        guard case .pending(let work) = workState else { return }
        released.append(work)
        setIdle()
    }

    /// Completes the operation; its work may continue for other operations.
    mutating func complete(_ completion: OperationCompletion, releasing released: inout ReleasedReferences) {
        position = .detached
        releaseDependencies(into: &released)
        links = .none
        guard self.completion == nil else { return }
        if case .idle = workState { workState = .completed(completion) } else { updateExtras { $0.completion = completion } }
    }

    /// Starts the work.
    ///
    /// - Parameter isRetryable: Whether the work is retained for a retry.
    /// - Returns: The work and the number of the attempt; nil when there is no work.
    mutating func beginWork(by worker: OperationWorker, for flight: FlightID, isRetryable: Bool) -> (AnyOperation.Work, attempt: Int)? {
        guard case .pending(let work) = workState else { return nil }
        workState = .running(worker, flight)
        guard isRetryable else { return (work, 1) }
        updateExtras { extras in
            extras.work = work
            extras.attempts += 1
        }
        return (work, extras?.attempts ?? 1)
    }

    /// Starts a check of the conditions, and retains the work.
    mutating func beginCheck(by worker: OperationWorker, for flight: FlightID) {
        if case .pending(let work) = workState { updateExtras { $0.work = work } }
        workState = .running(worker, flight)
    }

    /// Detaches the worker.
    ///
    /// - Parameter retainsWork: Whether retained work becomes pending again.
    mutating func endWork(retainsWork: Bool, releasing released: inout ReleasedReferences) {
        if retainsWork, let work = extras?.work { workState = .pending(work) } else { setIdle() }
        releaseRetainedWork(into: &released)
    }

    private func releaseRetainedWork(into released: inout ReleasedReferences) {
        guard let extras, let work = extras.work else { return }
        released.append(work)
        extras.work = nil
    }

    private func releaseDependencies(into released: inout ReleasedReferences) {
        switch links {
        case .none, .queue: break
        case .dependency, .dependencies: released.append(links)
        }
    }

    private mutating func setIdle() {
        workState = extras?.completion.map { .completed($0) } ?? .idle
    }
}

extension FlightEpoch {
    /// A value before the first flight of any queue.
    fileprivate static let none = FlightEpoch(sequenceNumber: 0)
}
