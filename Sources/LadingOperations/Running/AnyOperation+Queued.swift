import Synchronization

/// How far an operation has come.
enum SubmissionState: Sendable {
    case new(Unsubmitted)
    /// It waits or runs.
    case submitted
    case completed(OperationCompletion)

    /// What a queue needs to know of an operation that has neither been submitted nor ended.
    struct Unsubmitted {
        let isPaused: Bool
        /// Whether somebody follows its states.
        let isObserved: Bool
        let dependencies: TinyArray<AnyOperation>

        /// Whether it may stand in line, if nothing else is out of the ordinary.
        var isPlain: Bool { !isPaused && !isObserved && dependencies.isEmpty }
    }
}

/// How the work of a flight ended.
enum WorkOutcome: Sendable {
    case completed(OperationCompletion)
    /// It failed, and is to be tried again.
    case retry(RetryEvent)
    /// It named another operation whose end is to be its own.
    case next(AnyOperation)
}

// MARK: - Under the lock of the queue, calling nobody

extension AnyOperation {
    /// How far it has come, all in one look.
    var submissionState: SubmissionState {
        box.withLock { box in
            if let completion = box.completion { return .completed(completion) }
            guard box.position.isDetached else { return .submitted }
            return .new(box.unsubmitted)
        }
    }

    var isNew: Bool { box.withLock { $0.completion == nil && $0.position.isDetached } }

    var position: Position { box.withLock { $0.position } }

    /// The queue it waits or runs in.
    var queue: BackendQueue? { box.withLock { $0.queue } }

    /// It is to be left in the inbox of this queue; says whether it may, which it may not when there is anything out of the ordinary about it.
    func post(to queue: BackendQueue) -> Bool {
        box.withLock { box in
            guard box.completion == nil, box.position.isDetached, box.unsubmitted.isPlain else { return false }
            box.post(to: queue)
            return true
        }
    }

    /// It stands in line in this queue, and has a flight to come.
    ///
    /// - Returns: Whether it is still as it was when it was submitted; otherwise it was cancelled or paused on another thread.
    ///
    /// - Parameter queue: Nil when it knows it already.
    func attach(to queue: BackendQueue?, at entry: QueuedEntry) -> Bool {
        box.withLock { box in
            box.attach(to: queue, at: .queued(entry.operationID), epoch: entry.epoch)
            return box.completion == nil && !box.isPaused
        }
    }

    /// Its turn in the line has come, or it was called out of it.
    func attach(as waiter: WaiterID) {
        box.withLock { $0.position = .waiter(waiter) }
    }

    /// It has become a wish of this queue. One that joined the flight of a leader needs its own work no more.
    ///
    /// - Returns: Whether it is still as it was when it was submitted; otherwise it was cancelled or paused on another thread.
    func attach(
        to queue: BackendQueue, as waiter: WaiterID, isPaused: Bool, epoch: QueueEpoch, joining leader: AnyOperation?
    ) -> Bool {
        let (progress, isUnchanged) = box.withLock { box in
            box.attach(to: queue, at: .waiter(waiter), epoch: epoch)
            let isUnchanged = box.completion == nil && box.isPaused == isPaused
            guard let leader else { return (OperationProgress?.none, isUnchanged) }
            box.dropWork()
            box.updateExtras { $0.leader = leader }
            return (box.extras?.progress, isUnchanged)
        }
        if let progress, let leader { progress.setSuccessor(leader.progress) }
        return isUnchanged
    }

    /// Its end is to be that of another; whoever watches how far it is sees how far that one is.
    func forwardProgress(to next: AnyOperation) {
        guard let progress = box.withLock({ $0.extras?.progress }) else { return }
        progress.setSuccessor(next.progress)
    }

    /// It has come into a state that somebody may follow.
    func recordState(_ state: OperationState) {
        box.withLock { $0.extras?.stateObservers?.append(state) }
    }

    /// Sets its result; says whether there is anybody to tell.
    ///
    /// - Parameter isOver: Whether the work it was to do is not needed any more, not even by others.
    func complete(_ status: CompletionStatus, _ cause: OperationCompletion, dropsWork: Bool) -> Bool {
        let completion = cause.completion(for: status)
        return box.withLock { box in
            if dropsWork { box.dropWork() }
            let isFirst = box.completion == nil
            box.complete(completion)
            guard isFirst, let extras = box.extras else { return false }
            extras.retryObservers?.close()
            extras.stateObservers?.append(completion.state)
            return true
        }
    }
}

// MARK: - Without the lock of the queue

extension AnyOperation {
    /// Tells everybody who waits for it, or follows it, what has happened.
    func notifyObservers() {
        let (observers, end, progress) = box.withLock { box in
            let completion = box.completion
            box.extras?.stateObservers?.deliver(isLast: completion != nil)
            guard let extras = box.extras, completion != nil else { return (TinyArray<Observer>(), completion, box.extras?.progress) }
            defer { extras.observers = TinyArray() }
            return (extras.observers, completion, extras.progress)
        }
        guard let end else { return }
        progress?.finish(isComplete: end.state == .succeeded)
        for observer in observers { observer(end.result) }
    }

    /// Checks the conditions in a task that `interrupt` cancels.
    func check(
        by worker: OperationWorker, for flight: FlightID, on executor: (any TaskExecutor)?,
        whenDone: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let conditions = attributes?.rules?.conditions ?? []
        guard beginCheck(by: worker, for: flight) else { return whenDone(CancellationError()) }
        worker.setTask(
            Task(executorPreference: executor) {
                do {
                    for condition in conditions { try await condition.check() }
                    self.endCheck()
                    whenDone(nil)
                } catch {
                    self.endCheck()
                    whenDone(error)
                }
            })
    }

    /// Does the work; says too whether `interrupt` reached it meanwhile.
    ///
    /// A part of the loop of its worker: a frame of its own would cost more than what is done in it.
    @inline(__always)
    func perform(by worker: OperationWorker, for flight: FlightID) async -> (WorkOutcome, isInterrupted: Bool) {
        guard let (work, number) = beginAttempt(by: worker, for: flight) else { return (.completed(.cancelled), true) }
        let outcome: WorkOutcome
        do {
            outcome = try await RunningOperation.$current.withValue(self) {
                switch work {
                case .value(let work): .completed(OperationCompletion(value: try await work()))
                case .next(let next): .next(try await next())
                }
            }
        } catch {
            outcome = self.outcome(ofError: error, attempt: number)
        }
        return (outcome, endAttempt(outcome))
    }

    func interrupt() {
        let worker = box.withLock { box in
            box.isInterrupted = true
            return box.running?.worker
        }
        worker?.cancel()
    }

    /// Lets a worker be cancelled by `interrupt`; nil when that has come already, or is about to: the work is gone as soon as nobody wants it.
    private func beginAttempt(by worker: OperationWorker, for flight: FlightID) -> (Work, attempt: Int)? {
        box.withLock { box in
            guard !box.isInterrupted, let attempt = box.beginWork(by: worker, for: flight, isRepeatable: attributes?.rules?.retry != nil) else {
                return nil
            }
            if worker.queue.isAdaptive, lane.isNetwork {
                box.updateExtras { $0.transferTiming = TransferTiming(startTime: worker.queue.stopwatch.elapsed()) }
            }
            return attempt
        }
    }

    private func outcome(ofError error: any Error, attempt: Int) -> WorkOutcome {
        guard !(error is CancellationError), let delay = attributes?.rules?.retry?.delay(error, attempt) else {
            return .completed(OperationCompletion(error: error))
        }
        return .retry(RetryEvent(error: error, delay: max(.zero, delay)))
    }

    /// From here on the worker belongs to others, and whatever the work keeps alive is let go of unless it is tried again.
    private func endAttempt(_ outcome: WorkOutcome) -> Bool {
        let isRetried = if case .retry = outcome { true } else { false }
        return box.withLock { box in
            box.endWork(keepsWork: isRetried)
            return box.isInterrupted
        }
    }

    /// Lets a worker be cancelled by `interrupt`; false when that has come already.
    private func beginCheck(by worker: OperationWorker, for flight: FlightID) -> Bool {
        box.withLock { box in
            if !box.isInterrupted { box.beginCheck(by: worker, for: flight) }
            return !box.isInterrupted
        }
    }

    /// From here on the worker belongs to others.
    private func endCheck() {
        box.withLock { $0.endWork(keepsWork: true) }
    }
}

extension AnyOperation.Box {
    fileprivate var unsubmitted: SubmissionState.Unsubmitted {
        .init(isPaused: isPaused, isObserved: extras?.stateObservers != nil, dependencies: dependencies)
    }
}
