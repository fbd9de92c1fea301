import Synchronization

/// How far an operation has come.
enum OperationStanding: Sendable {
    case new(Newcomer)
    case wished(WishID)
    case ended(OperationEnd)

    /// What a queue needs to know of an operation that has neither been submitted nor ended.
    struct Newcomer {
        let isPaused: Bool
        /// Whether somebody follows its states.
        let isWatched: Bool
        let dependencies: ShortList<AnyOperation>
    }
}

/// How the work of a flight ended.
enum WorkOutcome: Sendable {
    case ended(OperationEnd)
    /// It failed, and is to be tried again.
    case again(OperationSetback)
    /// It named another operation whose end is to be its own.
    case next(AnyOperation)
}

// MARK: - Under the lock of the queue, calling nobody

extension AnyOperation {
    /// How far it has come, all in one look.
    var standing: OperationStanding {
        box.withLock { box in
            if let end = box.end { return .ended(end) }
            if let wish = box.wish { return .wished(wish) }
            return .new(.init(isPaused: box.isPaused, isWatched: box.extras?.followers != nil, dependencies: box.dependencies))
        }
    }

    var isNew: Bool { box.withLock { $0.end == nil && $0.wish == nil } }

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
            box.dependencies = ShortList()
            let isUnchanged = box.end == nil && box.isPaused == isPaused
            guard let leader else { return (OperationProgress?.none, isUnchanged) }
            box.work = nil
            box.extend { $0.leader = leader }
            return (box.extras?.progress, isUnchanged)
        }
        if let progress, let leader { progress.continues(as: leader.progress) }
        return isUnchanged
    }

    /// Its end is to be that of another; whoever watches how far it is sees how far that one is.
    func continues(with next: AnyOperation) {
        guard let progress = box.withLock({ $0.extras?.progress }) else { return }
        progress.continues(as: next.progress)
    }

    /// It has come into a state that somebody may follow.
    func note(_ state: OperationState) {
        box.withLock { $0.extras?.followers?.note(state) }
    }

    /// Sets its result; says whether there is anybody to tell.
    ///
    /// - Parameter isOver: Whether the work it was to do is not needed any more, not even by others.
    func settle(_ settlement: Settlement, _ cause: OperationEnd, isOver: Bool) -> Bool {
        let end = cause.end(of: settlement)
        return box.withLock { box in
            box.wish = nil
            box.queue = nil
            box.dependencies = ShortList()
            if isOver { box.work = nil }
            guard box.end == nil else { return false }
            box.end = end
            guard box.extras != nil else { return !box.observers.isEmpty }
            box.extras?.setbacks?.close()
            box.extras?.followers?.note(end.state)
            return true
        }
    }
}

// MARK: - Without the lock of the queue

extension AnyOperation {
    /// Tells everybody who waits for it, or follows it, what has happened.
    func announce() {
        let (observers, end, progress) = box.withLock { box in
            let end = box.end
            box.extras?.followers?.deliver(isLast: end != nil)
            guard end != nil else { return (ShortList<Observer>(), end, box.extras?.progress) }
            defer { box.observers = ShortList() }
            return (box.observers, end, box.extras?.progress)
        }
        guard let end else { return }
        progress?.finish(isComplete: end.state == .succeeded)
        for observer in observers { observer(end.result) }
    }

    /// Checks the conditions in a task that `interrupt` cancels.
    func check(by worker: OperationWorker, on executor: (any TaskExecutor)?, whenDone: @escaping @Sendable ((any Error)?) -> Void) {
        let conditions = traits?.rules?.conditions ?? []
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
    ///
    /// A part of the loop of its worker: a frame of its own would cost more than what is done in it.
    @inline(__always)
    func perform(by worker: OperationWorker, for flight: FlightID) async -> (WorkOutcome, isInterrupted: Bool) {
        guard let (work, number) = beginAttempt(by: worker, for: flight) else { return (.ended(.cancelled), true) }
        let outcome: WorkOutcome
        do {
            outcome = try await RunningOperation.$current.withValue(self) {
                switch work {
                case .value(let work): .ended(OperationEnd(value: try await work()))
                case .next(let next): .next(try await next())
                }
            }
        } catch {
            outcome = failed(error, attempt: number)
        }
        return (outcome, endAttempt(outcome))
    }

    func interrupt() {
        let worker = box.withLock { box in
            box.isInterrupted = true
            return box.worker
        }
        worker?.cancel()
    }

    /// Lets a worker be cancelled by `interrupt`; nil when that has come already, or is about to: the work is gone as soon as nobody wants it.
    private func beginAttempt(by worker: OperationWorker, for flight: FlightID) -> (Work, number: Int)? {
        box.withLock { box in
            guard !box.isInterrupted, let work = traits?.rules?.retry == nil ? box.work.take() : box.work else { return nil }
            box.worker = worker
            box.flightUnderway = flight
            box.attempts += 1
            if worker.queue.isGauging, lane.isNetwork {
                box.extend { $0.transfer = TransferWatch(begunAt: worker.queue.stopwatch.elapsed()) }
            }
            return (work, Int(box.attempts))
        }
    }

    private func failed(_ error: any Error, attempt: Int) -> WorkOutcome {
        guard !(error is CancellationError), let delay = traits?.rules?.retry?.delay(error, attempt) else {
            return .ended(OperationEnd(error: error))
        }
        return .again(OperationSetback(error: error, pause: max(.zero, delay)))
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
