import Synchronization

/// How far an operation has come.
enum OperationStanding: Sendable {
    /// It has neither been submitted nor ended.
    case new
    case wished(WishID)
    /// The error is nil when it succeeded.
    case ended((any Error)?)
}

/// How the work of a flight ended.
enum WorkOutcome: Sendable {
    /// With the value that this operation holds.
    case value(AnyOperation)
    case failure(any Error)
    /// It failed, and is to be tried again.
    case again(after: Duration)
    /// It named another operation whose end is to be its own.
    case next(AnyOperation)
}

// MARK: - Under the lock of the queue, calling nobody

extension AnyOperation {
    var submission: Submission {
        Submission(
            lane: lane, key: key.map { JoinKey(key: $0, value: valueType) }, runsAnyway: runsAnyway,
            isConditional: rules.map { !$0.conditions.isEmpty } ?? false, exclusion: rules?.exclusion,
            isPaused: box.withLock { $0.isPaused })
    }

    /// How far it has come, all in one look.
    var standing: OperationStanding {
        box.withLock { box in
            switch (box.result, box.wish) {
            case (.success, _): .ended(nil)
            case (.failure(let error), _): .ended(error)
            case (nil, let wish?): .wished(wish)
            case (nil, nil): .new
            }
        }
    }

    var isNew: Bool { box.withLock { $0.result == nil && $0.wish == nil } }

    var wish: WishID? { box.withLock { $0.wish } }

    /// The queue it waits or runs in.
    var queue: BackendQueue? { box.withLock { $0.queue } }

    var waitsFor: ShortList<AnyOperation> { box.withLock { $0.dependencies } }

    /// It has become a wish of this queue. One that joined the flight of a leader needs its own work no more.
    func enlisted(in queue: BackendQueue, as wish: WishID, of flight: OperationMark, joining leader: AnyOperation?) {
        let progress = box.withLock { box in
            box.queue = queue
            box.wish = wish
            box.flight = flight
            box.dependencies = []
            guard let leader else { return OperationProgress?.none }
            box.work = nil
            box.extend { $0.leader = leader }
            return box.extras?.progress
        }
        if let progress, let leader { progress.add(leader.progress, weight: 1) }
    }

    /// It has come into a state that somebody follows.
    func note(_ state: OperationState) {
        box.withLock { $0.extras?.followers?.pending.append(state) }
    }

    /// Sets its result; says whether there is anybody to tell.
    func end(_ settlement: Settlement, _ outcome: WorkOutcome) -> Bool {
        let result = result(settlement, outcome)
        return box.withLock { box in
            guard box.result == nil else { return false }
            box.result = result
            box.wish = nil
            box.queue = nil
            guard box.extras != nil else { return !box.observers.isEmpty }
            box.extras?.followers?.pending.append(OperationState(result))
            return true
        }
    }

    private func result(_ settlement: Settlement, _ outcome: WorkOutcome) -> Result<Value, any Error> {
        switch (settlement, outcome) {
        case (.succeeded, .value(let source)):
            source.box.withLock { box in box.value.map { .success($0) } ?? box.result ?? .failure(CancellationError()) }
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
        progress?.finish()
        for observer in observers { observer(result) }
    }

    /// Checks the conditions in a task that `interrupt` cancels.
    func check(on executor: (any TaskExecutor)?, whenDone: @escaping @Sendable ((any Error)?) -> Void) {
        let conditions = rules?.conditions ?? []
        let worker = OperationWorker()
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

    /// Does the work.
    func perform(by worker: OperationWorker) async -> WorkOutcome {
        guard take(worker) else { return .failure(CancellationError()) }
        let outcome = await RunningOperation.$current.withValue(self) { await attempt() }
        leave()
        return outcome
    }

    func interrupt() {
        let worker = box.withLock { box in
            box.isInterrupted = true
            return box.worker
        }
        worker?.cancel()
    }

    /// Whether `interrupt` reached it while it last ran.
    var wasInterrupted: Bool { box.withLock { $0.isInterrupted } }

    private func attempt() async -> WorkOutcome {
        let (work, attempt) = box.withLock { box in
            box.attempts += 1
            return (rules?.retry == nil ? box.work.take() : box.work, Int(box.attempts))
        }
        do {
            switch work {
            case .value(let work):
                let value = try await work()
                box.withLock { $0.value = value }
                return .value(self)
            case .next(let next): return .next(try await next())
            case nil: preconditionFailure("work is kept until it has ended")
            }
        } catch {
            guard !(error is CancellationError), let delay = rules?.retry?.delay(error, attempt) else { return .failure(error) }
            return .again(after: max(.zero, delay))
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
