import Synchronization
import Timing

/// The submission state of an operation.
enum SubmissionState: Sendable {
    case new(Properties)
    /// The operation is waiting or running.
    case submitted
    case completed(OperationCompletion)

    /// The properties of an unsubmitted operation that its queue needs.
    struct Properties {
        let isPaused: Bool
        /// Whether its states are observed.
        let isObserved: Bool
        let dependencies: TinyArray<AnyOperation>

        /// Whether the operation may be queued without a waiter, if it has no attributes either.
        var isPlain: Bool { !isPaused && !isObserved && dependencies.isEmpty }
    }
}

/// The outcome of the work of a flight.
enum WorkOutcome: Sendable {
    case completed(OperationCompletion)
    /// The work failed and will be retried.
    case retry(RetryEvent)
    /// The work produced an operation whose result becomes its own.
    case next(AnyOperation)
}

// MARK: - Under the lock of the queue, without callbacks

extension AnyOperation {
    /// The submission state, read atomically.
    var submissionState: SubmissionState {
        box.withLock { box in
            if let completion = box.completion { return .completed(completion) }
            guard box.position.isDetached else { return .submitted }
            return .new(box.properties)
        }
    }

    var isNew: Bool { box.withLock { $0.completion == nil && $0.position.isDetached } }

    var position: Position { box.withLock { $0.position } }

    /// Returns the position in this queue. The ids of another queue mean other operations, so that the operation must not be in one.
    func position(in queue: BackendQueue) -> Position {
        box.withLock { box in
            precondition(
                box.position.isDetached || box.queue === queue,
                "an operation can be submitted to only one queue: create an operation for each queue")
            return box.position
        }
    }

    /// The queue that the operation is attached to.
    var queue: BackendQueue? { box.withLock { $0.queue } }

    /// Attaches the operation to the queue as a queued entry.
    ///
    /// - Returns: Whether the operation is unchanged since its submission, neither cancelled nor paused on another thread.
    func attach(to queue: BackendQueue, at entry: QueuedEntry, releasing released: inout ReleasedReferences) -> Bool {
        box.withLock { box in
            box.attach(to: queue, at: .queued(entry.operationID), epoch: entry.epoch, releasing: &released)
            return box.completion == nil && !box.isPaused
        }
    }

    /// Replaces the queued entry of the operation by a waiter.
    func attach(as waiter: WaiterID) {
        box.withLock { $0.position = .waiter(waiter) }
    }

    /// Attaches the operation to the queue as a waiter. An operation that joined the flight of a leader drops its own work.
    ///
    /// - Returns: Whether the operation is unchanged since its submission, neither cancelled nor paused on another thread.
    func attach(
        to queue: BackendQueue, as waiter: WaiterID, isPaused: Bool, epoch: FlightEpoch, joining leader: AnyOperation?,
        _ pendingEffects: inout BackendQueue.PendingEffects
    ) -> Bool {
        let (progress, isUnchanged) = box.withLock { box in
            box.attach(to: queue, at: .waiter(waiter), epoch: epoch, releasing: &pendingEffects.released)
            let isUnchanged = box.completion == nil && box.isPaused == isPaused
            guard let leader else { return (OperationProgress?.none, isUnchanged) }
            box.dropWork(into: &pendingEffects.released)
            box.updateExtras { $0.leader = leader }
            return (box.extras?.progress, isUnchanged)
        }
        if let progress, let leader { pendingEffects.setSuccessor(leader.unfinishedProgress, of: progress) }
        return isUnchanged
    }

    /// Forwards the progress of the operation whose result becomes its own.
    func forwardProgress(to next: AnyOperation, _ pendingEffects: inout BackendQueue.PendingEffects) {
        let progress = box.withLock { box in
            box.updateExtras { $0.successor = next }
            return box.extras?.progress
        }
        guard let progress else { return }
        pendingEffects.setSuccessor(next.unfinishedProgress, of: progress)
    }

    /// Records a state for observers.
    func recordState(_ state: OperationState) {
        box.withLock { $0.extras?.stateObservers?.append(state) }
    }

    /// Completes the operation; returns whether there are observers to notify.
    ///
    /// - Parameter dropsWork: Whether the work is released because no other operation needs it.
    func complete(
        _ status: CompletionStatus, _ cause: OperationCompletion, dropsWork: Bool, releasing released: inout ReleasedReferences
    ) -> Bool {
        let completion = cause.completion(for: status)
        return box.withLock { box in
            if dropsWork { box.dropWork(into: &released) }
            let isFirst = box.completion == nil
            box.complete(completion, releasing: &released)
            guard isFirst, let extras = box.extras else { return false }
            if let retryObservers = extras.retryObservers { released.append(retryObservers.close()) }
            extras.stateObservers?.append(completion.state)
            return true
        }
    }
}

// MARK: - Outside the lock of the queue

extension AnyOperation {
    /// Notifies observers of states and of the result.
    func notifyObservers() {
        deliverStates()
        let (observers, completion, progress) = box.withLock { box in
            let completion = box.completion
            guard let extras = box.extras, completion != nil else { return (TinyArray<Observer>(), completion, box.extras?.progress) }
            defer { extras.observers = TinyArray() }
            return (extras.observers, completion, extras.progress)
        }
        guard let completion else { return }
        progress?.finish(isComplete: completion.state == .succeeded)
        for observer in observers { observer(completion.result) }
    }

    /// Sends the recorded states to their observers, unless another thread does.
    private func deliverStates() {
        var isHolder = false
        while let delivery = box.withLock({ $0.nextDelivery(isHolder: &isHolder) }) { delivery.send() }
    }

    /// Checks the conditions in a task that `interrupt` cancels.
    func check(by worker: OperationWorker, for flight: FlightID, whenDone: @escaping @Sendable ((any Error)?) -> Void) {
        let conditions = attributes?.rules?.conditions ?? []
        guard beginCheck(by: worker, for: flight) else { return whenDone(CancellationError()) }
        worker.setTask(
            worker.queue.task {
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

    /// Runs the work; returns its outcome and whether `interrupt` was called meanwhile.
    ///
    /// Inlined into the loop of the worker: an async frame would cost more than its contents.
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

    /// Starts an attempt that `interrupt` cancels; nil when it was interrupted already or its work has been dropped.
    private func beginAttempt(by worker: OperationWorker, for flight: FlightID) -> (Work, attempt: Int)? {
        box.withLock { box in
            guard !box.isInterrupted, let attempt = box.beginWork(by: worker, for: flight, isRetryable: attributes?.rules?.retry != nil)
            else {
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

    /// Detaches the worker and drops the work unless it will be retried. Returns whether the operation was interrupted.
    private func endAttempt(_ outcome: WorkOutcome) -> Bool {
        let isRetried = if case .retry = outcome { true } else { false }
        var released = ReleasedReferences()
        return box.withLock { box in
            box.endWork(retainsWork: isRetried, releasing: &released)
            return box.isInterrupted
        }
    }

    /// Starts a check that `interrupt` cancels; false when it was interrupted already.
    private func beginCheck(by worker: OperationWorker, for flight: FlightID) -> Bool {
        box.withLock { box in
            if !box.isInterrupted { box.beginCheck(by: worker, for: flight) }
            return !box.isInterrupted
        }
    }

    /// Detaches the worker and retains the work.
    private func endCheck() {
        var released = ReleasedReferences()
        box.withLock { $0.endWork(retainsWork: true, releasing: &released) }
    }
}

extension AnyOperation.Box {
    fileprivate var properties: SubmissionState.Properties {
        .init(isPaused: isPaused, isObserved: extras?.stateObservers != nil, dependencies: dependencies)
    }

    /// Returns the states to send; nil if there are none, or if another thread sends them.
    fileprivate func nextDelivery(isHolder: inout Bool) -> StateObservers.Delivery? {
        extras?.stateObservers?.nextDelivery(isLast: completion != nil, isHolder: &isHolder)
    }
}
