extension AnyOperation {
    /// What changes of an operation.
    ///
    /// With all that it consists of, an operation takes 120 bytes. One thread makes it and another one gives its memory back, which neither has to
    /// wait for where pieces are no larger than that (the fast bins of glibc, mallopt(3): `M_MXFAST`). What few operations have lies in `extras`.
    struct Box {
        private var workState: WorkState
        var position = Position.detached
        var isInterrupted = false
        /// Whether it was paused before it was submitted.
        var isPaused = false
        private var attachment: Attachment
        private(set) var extras: Extras?
        private var epoch = QueueEpoch.none

        init(work: Work?, dependencies: TinyArray<AnyOperation>, completion: OperationCompletion?) {
            workState = if let completion { .completed(completion) } else { work.map { .pending($0) } ?? .idle }
            attachment = dependencies.count > 1 ? .dependencies(Array(dependencies)) : dependencies.first.map { .dependency($0) } ?? .none
        }
    }

    /// What is done with it.
    private enum WorkState {
        /// Taken out when it begins, so that a chain of operations is not kept alive by its end.
        case pending(Work)
        /// Somebody does its work, or checks whether it may be done, for this flight.
        case running(OperationWorker, FlightID)
        /// Nothing: another does its work, or it is known elsewhere what is to become of it.
        case idle
        case completed(OperationCompletion)
    }

    /// What it belongs to.
    private enum Attachment {
        case none
        /// It has not been submitted yet, and depends on another.
        case dependency(AnyOperation)
        case dependencies([AnyOperation])
        case queue(BackendQueue)
    }

    /// Where it is in its queue, while it waits or runs there.
    enum Position {
        case detached
        /// In the inbox of its queue.
        case posted
        /// In the line of its lane, under its own name.
        case queued(OperationID)
        case waiter(WaiterID)

        var isDetached: Bool {
            if case .detached = self { true } else { false }
        }
    }

    enum Work {
        case value(@Sendable () async throws -> Value)
        /// Names the operation whose result is to be this one's.
        case next(@Sendable () async throws -> AnyOperation)
    }

    /// An object, so that the others need no room for it. Only the box of its operation refers to it.
    final class Extras {
        var observers = TinyArray<Observer>()
        var stateObservers: StateObservers?
        var progress: OperationProgress?
        /// The operation whose flight it joined.
        var leader: AnyOperation?
        var retryObservers: RetryObservers?
        /// While its work is a transfer of a lane that finds out what its line carries.
        var transferTiming: TransferTiming?
        /// What will be done again, or once it is known that it may be.
        fileprivate var work: Work?
        /// How often its work has begun, when it is tried again.
        fileprivate var attempts = 0
        /// Its end, while others still want its work to be done.
        fileprivate var completion: OperationCompletion?
    }
}

extension AnyOperation.Box {
    /// How it ended; nil until then.
    var completion: OperationCompletion? {
        if case .completed(let completion) = workState { completion } else { extras?.completion }
    }

    /// The queue it waits or runs in.
    var queue: BackendQueue? {
        if case .queue(let queue) = attachment { queue } else { nil }
    }

    /// What it depends on, until it is submitted.
    var dependencies: TinyArray<AnyOperation> {
        switch attachment {
        case .none, .queue: TinyArray()
        case .dependency(let dependency): TinyArray(dependency)
        case .dependencies(let dependencies): TinyArray(dependencies)
        }
    }

    /// When its flight began; nil before it is submitted.
    var flightEpoch: QueueEpoch? { epoch == .none ? nil : epoch }

    /// Who does its work, and for which flight.
    var running: (worker: OperationWorker, flight: FlightID)? {
        if case .running(let worker, let flight) = workState { (worker, flight) } else { nil }
    }

    mutating func updateExtras(_ change: (AnyOperation.Extras) -> Void) {
        let extras = extras ?? AnyOperation.Extras()
        change(extras)
        self.extras = extras
    }

    // MARK: Its way

    /// It has been left for a queue.
    mutating func post(to queue: BackendQueue) {
        attachment = .queue(queue)
        position = .posted
    }

    /// It waits or runs in a queue, which is nil when it is known already.
    mutating func attach(to queue: BackendQueue?, at position: AnyOperation.Position, epoch: QueueEpoch) {
        if let queue { attachment = .queue(queue) }
        self.position = position
        self.epoch = epoch
    }

    /// Nobody needs its work any more, or another one does it.
    mutating func dropWork() {
        extras?.work = nil
        if case .pending = workState { setIdle() }
    }

    /// It has ended; others may still want its work to be done.
    mutating func complete(_ completion: OperationCompletion) {
        position = .detached
        attachment = .none
        guard self.completion == nil else { return }
        if case .idle = workState { workState = .completed(completion) } else { updateExtras { $0.completion = completion } }
    }

    /// Its work begins.
    ///
    /// - Parameter isKept: Whether it may have to be done again.
    /// - Returns: The work, and how often it has begun; nil when there is none to do.
    mutating func beginWork(by worker: OperationWorker, for flight: FlightID, isRepeatable: Bool) -> (AnyOperation.Work, attempt: Int)? {
        guard case .pending(let work) = workState else { return nil }
        workState = .running(worker, flight)
        guard isRepeatable else { return (work, 1) }
        updateExtras { extras in
            extras.work = work
            extras.attempts += 1
        }
        return (work, extras?.attempts ?? 1)
    }

    /// Its work begins later, when it is known that it may.
    mutating func beginCheck(by worker: OperationWorker, for flight: FlightID) {
        if case .pending(let work) = workState { updateExtras { $0.work = work } }
        workState = .running(worker, flight)
    }

    /// Its worker belongs to others from here on.
    ///
    /// - Parameter isToBeDone: Whether its work, if it is kept, is done later.
    mutating func endWork(keepsWork: Bool) {
        let work = extras?.work
        extras?.work = nil
        if keepsWork, let work { workState = .pending(work) } else { setIdle() }
    }

    private mutating func setIdle() {
        workState = extras?.completion.map { .completed($0) } ?? .idle
    }
}

extension QueueEpoch {
    /// That of no flight: the first of a queue has a later one.
    fileprivate static let none = QueueEpoch(sequenceNumber: 0)
}
