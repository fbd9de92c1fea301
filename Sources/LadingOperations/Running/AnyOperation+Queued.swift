import Synchronization

/// How far an operation has come.
enum OperationStanding: Sendable {
    case new(Newcomer)
    /// It waits or runs.
    case submitted
    case ended(OperationEnd)

    /// What a queue needs to know of an operation that has neither been submitted nor ended.
    struct Newcomer {
        let isPaused: Bool
        /// Whether somebody follows its states.
        let isWatched: Bool
        let dependencies: ShortList<AnyOperation>

        /// Whether it may stand in line, if nothing else is out of the ordinary.
        var isPlain: Bool { !isPaused && !isWatched && dependencies.isEmpty }
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
            guard box.place.isNowhere else { return .submitted }
            return .new(box.newcomer)
        }
    }

    var isNew: Bool { box.withLock { $0.end == nil && $0.place.isNowhere } }

    var place: Place { box.withLock { $0.place } }

    /// The queue it waits or runs in.
    var queue: BackendQueue? { box.withLock { $0.queue } }

    /// It is to be left in the inbox of this queue; says whether it may, which it may not when there is anything out of the ordinary about it.
    func post(to queue: BackendQueue) -> Bool {
        box.withLock { box in
            guard box.end == nil, box.place.isNowhere, box.newcomer.isPlain else { return false }
            box.post(to: queue)
            return true
        }
    }

    /// It stands in line in this queue, and has a flight to come.
    ///
    /// - Returns: Whether it is still as it was when it was submitted; otherwise it was cancelled or paused on another thread.
    ///
    /// - Parameter queue: Nil when it knows it already.
    func stands(in queue: BackendQueue?, at place: PlaceInLine) -> Bool {
        box.withLock { box in
            box.enter(queue, at: .inLine(place.ticket), for: place.mark)
            return box.end == nil && !box.isPaused
        }
    }

    /// Its turn in the line has come, or it was called out of it.
    func called(as wish: WishID) {
        box.withLock { $0.place = .wish(wish) }
    }

    /// It has become a wish of this queue. One that joined the flight of a leader needs its own work no more.
    ///
    /// - Returns: Whether it is still as it was when it was submitted; otherwise it was cancelled or paused on another thread.
    func enlisted(
        in queue: BackendQueue, as wish: WishID, isPaused: Bool, of flight: OperationMark, joining leader: AnyOperation?
    ) -> Bool {
        let (progress, isUnchanged) = box.withLock { box in
            box.enter(queue, at: .wish(wish), for: flight)
            let isUnchanged = box.end == nil && box.isPaused == isPaused
            guard let leader else { return (OperationProgress?.none, isUnchanged) }
            box.dropWork()
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
            if isOver { box.dropWork() }
            let isFirst = box.end == nil
            box.close(end)
            guard isFirst, let extras = box.extras else { return false }
            extras.setbacks?.close()
            extras.followers?.note(end.state)
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
            guard let extras = box.extras, end != nil else { return (ShortList<Observer>(), end, box.extras?.progress) }
            defer { extras.observers = ShortList() }
            return (extras.observers, end, extras.progress)
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
        let conditions = traits?.rules?.conditions ?? []
        guard beginCheck(by: worker, for: flight) else { return whenDone(CancellationError()) }
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
            return box.underway?.worker
        }
        worker?.cancel()
    }

    /// Lets a worker be cancelled by `interrupt`; nil when that has come already, or is about to: the work is gone as soon as nobody wants it.
    private func beginAttempt(by worker: OperationWorker, for flight: FlightID) -> (Work, attempt: Int)? {
        box.withLock { box in
            guard !box.isInterrupted, let begun = box.beginWork(by: worker, for: flight, isKept: traits?.rules?.retry != nil) else {
                return nil
            }
            if worker.queue.isGauging, lane.isNetwork {
                box.extend { $0.transfer = TransferWatch(begunAt: worker.queue.stopwatch.elapsed()) }
            }
            return begun
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
        let isTriedAgain = if case .again = outcome { true } else { false }
        return box.withLock { box in
            box.endWork(isToBeDone: isTriedAgain)
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
    private func leave() {
        box.withLock { $0.endWork(isToBeDone: true) }
    }
}

extension AnyOperation.Box {
    fileprivate var newcomer: OperationStanding.Newcomer {
        .init(isPaused: isPaused, isWatched: extras?.followers != nil, dependencies: dependencies)
    }
}
