import Synchronization

/// How far an operation has come.
enum OperationStanding: Sendable {
    /// It has neither been submitted nor ended.
    case new
    case wished(WishID)
    case ended(Result<AnyOperation.Value, any Error>)
}

/// How the work of a flight ended.
enum WorkOutcome: Sendable {
    /// With this value of the operation that did it.
    case value(AnyOperation.Value)
    case failure(any Error)
    /// It failed, and is to be tried again.
    case again(OperationSetback)
    /// It named another operation whose end is to be its own.
    case next(AnyOperation)
}

// MARK: - Under the lock of the queue, calling nobody

extension AnyOperation {
    /// What a queue needs to make a wish of it; nil when it is one already, or has ended.
    var intake: (submission: Submission, dependencies: ShortList<AnyOperation>)? {
        let look = box.withLock { box in
            box.result == nil && box.wish == nil ? (box.dependencies, box.isPaused, box.extras?.followers != nil) : nil
        }
        guard let (dependencies, isPaused, isWatched) = look else { return nil }
        let submission = Submission(
            lane: lane, key: key.map { JoinKey(key: $0, value: valueType) }, runsAnyway: runsAnyway,
            isConditional: rules.map { !$0.conditions.isEmpty } ?? false, exclusion: rules?.exclusion, isPaused: isPaused,
            isWatched: isWatched)
        return (submission, dependencies)
    }

    /// How far it has come, all in one look.
    var standing: OperationStanding {
        box.withLock { box in
            switch (box.result, box.wish) {
            case (let result?, _): .ended(result)
            case (nil, let wish?): .wished(wish)
            case (nil, nil): .new
            }
        }
    }

    var isNew: Bool { box.withLock { $0.result == nil && $0.wish == nil } }

    var wish: WishID? { box.withLock { $0.wish } }

    /// The queue it waits or runs in.
    var queue: BackendQueue? { box.withLock { $0.queue } }

    /// It has become a wish of this queue. One that joined the flight of a leader needs its own work no more.
    ///
    /// - Returns: Whether it is still as it was when it was submitted; otherwise it was cancelled or paused on another thread.
    func enlisted(
        in queue: BackendQueue, as wish: WishID, isPaused: Bool, of flight: OperationMark, joining leader: AnyOperation?
    ) -> Bool {
        let (progress, isUnchanged) = box.withLock { box in
            box.queue = queue
            box.wish = wish
            box.flight = flight
            box.dependencies = []
            let isUnchanged = box.result == nil && box.isPaused == isPaused
            guard let leader else { return (OperationProgress?.none, isUnchanged) }
            box.work = nil
            box.extend { $0.leader = leader }
            return (box.extras?.progress, isUnchanged)
        }
        if let progress, let leader { progress.add(leader.progress, weight: 1) }
        return isUnchanged
    }

    /// Its end is to be that of another; whoever watches how far it is sees how far that one is.
    func continues(with next: AnyOperation) {
        guard let progress = box.withLock({ $0.extras?.progress }) else { return }
        progress.add(next.progress, weight: 1)
    }

    /// It has come into a state that somebody may follow.
    func note(_ state: OperationState) {
        box.withLock { $0.extras?.followers?.note(state) }
    }

    /// Sets its result; says whether there is anybody to tell.
    ///
    /// - Parameter isOver: Whether the work it was to do is not needed any more, not even by others.
    func end(_ settlement: Settlement, _ outcome: WorkOutcome, isOver: Bool) -> Bool {
        let result = result(settlement, outcome)
        return box.withLock { box in
            box.wish = nil
            box.queue = nil
            box.dependencies = []
            if isOver { box.work = nil }
            guard box.result == nil else { return false }
            box.result = result
            guard box.extras != nil else { return !box.observers.isEmpty }
            box.extras?.setbacks?.close()
            box.extras?.followers?.note(OperationState(result))
            return true
        }
    }

    private func result(_ settlement: Settlement, _ outcome: WorkOutcome) -> Result<Value, any Error> {
        switch (settlement, outcome) {
        case (.succeeded, .value(let value)): .success(value)
        case (.failed, .failure(let error)): .failure(error)
        case (.dependencyFailed, .failure(let error)):
            .failure(OperationError.dependencyFailed(OperationError.rootCause(of: error)))
        case (.expired, _): .failure(OperationError.deadlineExceeded)
        case (.cancelled, _): .failure(CancellationError())
        default: preconditionFailure("a settlement tells of the outcome it came from")
        }
    }
}

// MARK: - Without the lock of the queue

extension AnyOperation {
    /// Tells everybody who waits for it, or follows it, what has happened.
    func announce() {
        let (observers, result, progress) = box.withLock { box in
            box.extras?.followers?.deliver(isLast: box.result != nil)
            guard box.result != nil else { return (ShortList<Observer>(), box.result, box.extras?.progress) }
            defer { box.observers = [] }
            return (box.observers, box.result, box.extras?.progress)
        }
        guard let result else { return }
        progress?.finish(isComplete: OperationState(result) == .succeeded)
        for observer in observers { observer(result) }
    }

    /// Checks the conditions in a task that `interrupt` cancels.
    func check(by worker: OperationWorker, on executor: (any TaskExecutor)?, whenDone: @escaping @Sendable ((any Error)?) -> Void) {
        let conditions = rules?.conditions ?? []
        guard take(worker) else { return whenDone(CancellationError()) }
        worker.adopt(
            Task(executorPreference: executor) {
                do {
                    for condition in conditions { try await condition.whenMet() }
                    self.leave()
                    whenDone(nil)
                } catch {
                    self.leave()
                    whenDone(error)
                }
            })
    }

    /// Does the work; says too whether `interrupt` reached it meanwhile.
    func perform(by worker: OperationWorker) async -> (WorkOutcome, isInterrupted: Bool) {
        guard let (work, number) = beginAttempt(by: worker) else { return (.failure(CancellationError()), true) }
        let outcome = await RunningOperation.$current.withValue(self) { await attempt(work, number) }
        return (outcome, endAttempt(outcome))
    }

    func interrupt() {
        let worker = box.withLock { box in
            box.isInterrupted = true
            return box.worker
        }
        worker?.cancel()
    }

    /// Lets a worker be cancelled by `interrupt`; nil when that has come already.
    private func beginAttempt(by worker: OperationWorker) -> (Work?, number: Int)? {
        box.withLock { box in
            guard !box.isInterrupted else { return nil }
            box.worker = worker
            box.attempts += 1
            return (rules?.retry == nil ? box.work.take() : box.work, Int(box.attempts))
        }
    }

    private func attempt(_ work: Work?, _ number: Int) async -> WorkOutcome {
        do {
            switch work {
            case .value(let work): return .value(try await work())
            case .next(let next): return .next(try await next())
            case nil: preconditionFailure("work is kept until it has ended")
            }
        } catch {
            if !(error is CancellationError), let delay = rules?.retry?.delay(error, number) {
                return .again(OperationSetback(error: error, pause: max(.zero, delay)))
            }
            return .failure(error)
        }
    }

    /// From here on the worker belongs to others, and whatever the work keeps alive is let go of unless it is tried again.
    private func endAttempt(_ outcome: WorkOutcome) -> Bool {
        box.withLock { box in
            box.worker = nil
            if case .again = outcome {} else { box.work = nil }
            return box.isInterrupted
        }
    }

    /// Lets a worker be cancelled by `interrupt`; false when that has come already.
    private func take(_ worker: OperationWorker) -> Bool {
        box.withLock { box in
            if !box.isInterrupted { box.worker = worker }
            return !box.isInterrupted
        }
    }

    /// From here on the worker belongs to others.
    private func leave() {
        box.withLock { $0.worker = nil }
    }
}
