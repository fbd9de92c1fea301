import Synchronization

extension BackendQueue.State {
    /// Tells the schedule an event and keeps the record; what is to be done gathers until the lock is released.
    ///
    /// - Parameters:
    ///   - queue: That in which operations are enlisted, when the event can enlist any.
    ///   - outcome: How the flight ended that the event reports; its value or error is that of all its wishes.
    mutating func handle(
        _ event: BackendQueue.Schedule.Event, in queue: BackendQueue? = nil, at stopwatch: Stopwatch,
        outcome: @autoclosure () -> WorkOutcome = .failure(CancellationError())
    ) {
        if log.needsChapter(for: schedule) { log.beginChapter(with: schedule.mapPayloads(\.name)) }
        schedule.handle(event, effects: &effects)
        log.note(event, effects)
        guard !effects.isEmpty else { return }
        let time = log.limit > 0 ? stopwatch.elapsed() : nil
        for effect in effects {
            if let time, let decision = schedule.decision(effect, number: log.decisions.total, at: time) { log.append(decision) }
            switch effect {
            case .enlist(let wish, let operation, let enlistment):
                guard let queue else { continue }
                let isUnchanged = operation.enlisted(
                    in: queue, as: wish, isPaused: schedule.wishes[wish].isPaused, of: schedule.mark(of: wish),
                    joining: enlistment == .joined ? schedule.leader(of: wish) : nil)
                if !isUnchanged { changedMeanwhile.append(operation) }
            case .check(let flight, let operation): todo.checks.append(.init(id: flight, operation: operation))
            case .run(let flight, let operation): todo.runs.append(.init(id: flight, operation: operation))
            case .interrupt(_, let operation): todo.interrupted.append(operation)
            case .turn(let flight, _, let phase): noteTurn(of: flight, phase)
            case .settle(_, let operation, let settlement, let circumstances):
                if operation.end(settlement, outcome(), isOver: circumstances.isLast) { todo.changed.append(operation) }
            case .wake(let time): todo.alarm = time
            }
        }
        effects.removeAll(keepingCapacity: true)
    }

    /// What was cancelled or paused while it was not in the queue yet is so now.
    mutating func reviewChangedMeanwhile(at stopwatch: Stopwatch) {
        guard !changedMeanwhile.isEmpty else { return }
        for operation in changedMeanwhile {
            guard let wish = operation.wish else { continue }
            let (isEnded, isPaused) = operation.box.withLock { ($0.result != nil, $0.isPaused) }
            handle(isEnded ? .withdraw(wish) : isPaused ? .hold(wish) : .free(wish), at: stopwatch)
        }
        changedMeanwhile = []
    }

    /// The work of a flight is tried again: all who wait for it, however far behind it, may want to know.
    mutating func note(_ setback: OperationSetback, of flight: FlightID) {
        for operation in schedule.operationsAwaiting(flight) where operation.note(setback) {
            todo.setbacks.append((operation, setback))
        }
    }

    private mutating func noteTurn(of flight: FlightID, _ phase: FlightPhase) {
        guard schedule.flights.contains(flight), schedule.flights[flight].isWatched else { return }
        for wish in schedule.flights[flight].wishes {
            let operation = schedule.wishes[wish].payload
            operation.note(OperationState(schedule.phase(of: wish, in: phase)))
            todo.changed.append(operation)
        }
    }
}

extension BackendQueue {
    /// Changes the schedule under the lock and performs what it comes to after it.
    ///
    /// Results are written under the lock: a dependent may begin on another thread as soon as it is released, and reads them.
    func change(_ event: (inout State) -> Void) {
        guard let todo = decide(event) else { return }
        perform(todo)
        for run in todo.runs { begin(run) }
    }

    /// What is to be done; nil when it is nothing.
    private func decide(_ event: (inout State) -> Void) -> Todo? {
        state.withLock { state in
            event(&state)
            if !state.idleWaiters.isEmpty, state.schedule.isIdle { swap(&state.idleWaiters, &state.todo.idleWaiters) }
            guard !state.todo.isEmpty else { return nil }
            defer { state.todo = Todo() }
            return state.todo
        }
    }

    /// Performs everything but the runs.
    private func perform(_ todo: Todo) {
        for operation in todo.interrupted { operation.interrupt() }
        for (operation, setback) in todo.setbacks { operation.announce(setback) }
        for operation in todo.changed { operation.announce() }
        for flight in todo.checks { check(flight) }
        for waiter in todo.idleWaiters { waiter.resume() }
        if let time = todo.alarm { ring(at: time) }
    }

    private func begin(_ flight: Todo.Flight) {
        let worker = OperationWorker(in: self)
        worker.adopt(task { await self.work(on: flight, worker) })
    }

    /// Does the work of a flight, and then that of others as long as there are any.
    private func work(on first: Todo.Flight, _ worker: OperationWorker) async {
        var next: Todo.Flight? = first
        var turns = 0
        while let flight = next {
            worker.take(flight.id)
            let (outcome, isInterrupted) = await flight.operation.perform(by: worker)
            // A worker that was cancelled is of no use to others.
            next = finish(flight, outcome, isLast: isInterrupted || Task.isCancelled)
            turns += 1
            if turns % OperationWorker.turns == 0 { await Task.yield() }
        }
    }

    /// Gives what the same worker is to do next.
    private func finish(_ flight: Todo.Flight, _ outcome: WorkOutcome, isLast: Bool) -> Todo.Flight? {
        guard var todo = decide({ end(flight, outcome, &$0) }) else { return nil }
        perform(todo)
        let next = isLast ? nil : todo.runs.takeFirst()
        for run in todo.runs { begin(run) }
        return next
    }

    private func end(_ flight: Todo.Flight, _ outcome: WorkOutcome, _ state: inout State) {
        switch outcome {
        case .value, .failure: state.handle(.finish(flight.id, outcome.settlement), at: stopwatch, outcome: outcome)
        case .again(let setback):
            state.handle(.rest(flight.id, until: stopwatch.elapsed() + setback.pause), at: stopwatch)
            state.note(setback, of: flight.id)
        case .next where !state.schedule.isWanted(flight.id): state.handle(.finish(flight.id, .cancelled), at: stopwatch)
        case .next(let next):
            flight.operation.continues(with: next)
            goOn(flight.id, with: next, &state)
        }
    }

    private func goOn(_ flight: FlightID, with next: AnyOperation, _ state: inout State) {
        // The next operation may have the key of the one that named it: it must not join it.
        state.handle(.close(flight), at: stopwatch)
        enlist(next, .expected(state.schedule.claim(of: flight)), &state)
        switch next.standing {
        case .wished(let wish):
            state.handle(.proceed(flight, with: wish), at: stopwatch, outcome: .failure(OperationError.cycle(next.name)))
        case .ended(let result):
            let outcome = WorkOutcome(result)
            state.handle(.finish(flight, outcome.settlement), at: stopwatch, outcome: outcome)
        case .new: preconditionFailure("what is enlisted is a wish or has ended")
        }
    }

    private func check(_ flight: Todo.Flight) {
        flight.operation.check(by: OperationWorker(in: self), on: executor) { [weak self] error in
            guard let self else { return }
            change { state in
                guard let error else { return state.handle(.met(flight.id), at: self.stopwatch) }
                let outcome = WorkOutcome.failure(error)
                state.handle(.finish(flight.id, outcome.settlement), at: self.stopwatch, outcome: outcome)
            }
        }
    }

    /// Rings once at this time, instead of whenever it would have rung next.
    private func ring(at time: Duration) {
        let alarm = task { [weak self, stopwatch] in
            guard (try? await stopwatch.sleep(time)) != nil else { return }
            self?.change { state in
                state.handle(.ring(stopwatch.elapsed()), at: stopwatch, outcome: .failure(OperationError.deadlineExceeded))
            }
        }
        let former = state.withLock { state -> Task<Void, Never>? in
            // Another thread may have set an earlier one meanwhile.
            guard state.schedule.nextAlarm == time else { return alarm }
            defer { state.alarm = alarm }
            return state.alarm
        }
        former?.cancel()
    }
}

extension WorkOutcome {
    fileprivate init(_ result: Result<AnyOperation.Value, any Error>) {
        self =
            switch result {
            case .success(let value): .value(value)
            case .failure(let error): .failure(error)
            }
    }

    fileprivate var settlement: Settlement {
        switch self {
        case .value: .succeeded
        case .failure(let error): error is CancellationError ? .cancelled : .failed
        case .again, .next: preconditionFailure("a flight that goes on has not ended")
        }
    }
}
