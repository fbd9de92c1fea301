import Synchronization

extension BackendQueue.State {
    /// Tells the schedule an event and keeps the record; what is to be done gathers until the lock is released.
    ///
    /// - Parameters:
    ///   - queue: That in which operations are enlisted, when the event can enlist any.
    ///   - end: How the flight ended that the event reports; its value or error is that of all its wishes.
    mutating func handle(
        _ event: consuming OperationSchedule.Event, in queue: BackendQueue? = nil, end: OperationEnd = .cancelled
    ) {
        if log.needsChapter(operations: schedule.operationCount, capacity: schedule.capacity) { log.beginChapter(with: schedule) }
        log.note(event)
        schedule.handle(event, effects: &effects)
        log.note(effects)
        for index in effects.indices { perform(effects[index], in: queue, end) }
        effects.clear()
    }

    /// Performs what can be done under the lock, and puts the rest down to be done after it.
    @inline(__always)
    private mutating func perform(_ effect: OperationSchedule.Effect, in queue: BackendQueue?, _ end: OperationEnd) {
        let isTraced = log.limit > 0
        switch effect {
        case .stand(let place):
            let operation = roster[place.ticket]
            if isTraced { trace(place, operation) }
            if !operation.stands(in: queue, at: place) { changedMeanwhile.append(operation) }
        case .enlist(let wish, let ticket, .called): roster[ticket].called(as: wish)
        case .enlist(let wish, let ticket, let enlistment):
            let operation = roster[ticket]
            if isTraced { trace(enlistment, of: wish, operation) }
            if let queue { enlist(operation, in: queue, as: wish, enlistment) }
        case .check(let flight, let ticket):
            let operation = roster[ticket]
            if isTraced { trace(.checking, of: flight, operation, .dependents) }
            todo.add { $0.checks.append(.init(id: flight, operation: operation)) }
        case .run(let flight, let ticket):
            let operation = roster[ticket]
            if isTraced { trace(.started, of: flight, operation, .seenFirst) }
            todo.runs.append(.init(id: flight, operation: operation))
        case .coldStart(let flight): todo.add { $0.coldStarts.append(flight) }
        case .interrupt(let flight, let ticket):
            let operation = roster[ticket]
            if isTraced { trace(.interrupted, of: flight, operation, .oneFlight) }
            todo.add { $0.interrupted.append(operation) }
        case .turn(let flight, let ticket, let phase):
            if isTraced, let (outcome, law) = phase.asTraced { trace(outcome, of: flight, roster[ticket], law) }
            noteTurn(of: flight, phase)
        case .settle(_, let ticket, let settlement, let circumstances):
            let operation = roster[ticket]
            if isTraced { trace(settlement, of: operation, circumstances) }
            if operation.settle(settlement, end, isOver: circumstances.isLast) { todo.changed.append(operation) }
        case .forget(let ticket): roster.leave(ticket)
        case .wake(let time): todo.add { $0.alarm = time }
        }
    }

    /// Lets a thread write on its own pad while it has the lock, and gives that of the queue back when it is called again.
    fileprivate mutating func exchange(_ pad: inout ScratchPad) {
        swap(&pad.effects, &effects)
        swap(&pad.steps, &schedule.steps)
    }

    private mutating func enlist(_ operation: AnyOperation, in queue: BackendQueue, as wish: WishID, _ enlistment: Enlistment) {
        let isUnchanged = operation.enlisted(
            in: queue, as: wish, isPaused: schedule.wishes[wish].isPaused, of: schedule.mark(of: wish),
            joining: enlistment == .joined ? roster[schedule.leader(of: wish)] : nil)
        if !isUnchanged { changedMeanwhile.append(operation) }
    }

    /// What the schedule calls an operation that waits or runs. One that stands in line is called out of it.
    mutating func wish(of operation: AnyOperation) -> WishID? {
        // Another thread may have left it there since this one came.
        if case .posted = operation.place { takeIn() }
        if case .inLine(let ticket) = operation.place, let claim = roster.claim(of: ticket),
            let mark = operation.box.withLock({ $0.flight }),
            let lane = schedule.laneID(of: operation.lane)
        {
            handle(.call(PlaceInLine(ticket: ticket, lane: lane, claim: claim, mark: mark)))
        }
        guard case .wish(let wish) = operation.place else { return nil }
        return wish
    }

    /// What was cancelled or paused while it was not in the queue yet is so now.
    mutating func reviewChangedMeanwhile() {
        guard !changedMeanwhile.isEmpty else { return }
        for operation in changedMeanwhile {
            guard let wish = wish(of: operation) else { continue }
            let (isEnded, isPaused) = operation.box.withLock { ($0.end != nil, $0.isPaused) }
            handle(isEnded ? .withdraw(wish) : isPaused ? .hold(wish) : .free(wish))
        }
        changedMeanwhile = []
    }

    /// The work of a flight is tried again: all who wait for it, however far behind it, may want to know.
    mutating func note(_ setback: OperationSetback, of flight: FlightID) {
        for operation in schedule.operationsAwaiting(flight).map({ roster[$0] }) where operation.note(setback) {
            todo.add { $0.setbacks.append((operation, setback)) }
        }
    }

    private mutating func noteTurn(of flight: FlightID, _ phase: FlightPhase) {
        guard schedule.flights.contains(flight), schedule.flights[flight].isWatched else { return }
        for wish in schedule.flights[flight].wishes {
            let operation = roster[schedule.wishes[wish].ticket]
            operation.note(OperationState(schedule.phase(of: wish, in: phase)))
            todo.changed.append(operation)
        }
    }
}

/// What is written down while an event is dealt with, and is empty between two of them.
///
/// Each worker has its own: memory that two threads write in turn comes from the other processor each time.
private struct ScratchPad {
    var effects: [OperationSchedule.Effect] = []
    var steps: [OperationSchedule.Step] = []
}

extension BackendQueue {
    /// Changes the schedule under the lock and performs what it comes to after it.
    ///
    /// Results are written under the lock: a dependent may begin on another thread as soon as it is released, and reads them.
    @inline(__always)
    func change(_ event: (inout State) -> Void) {
        guard let todo = decide(event) else { return }
        perform(todo)
        for run in todo.runs { begin(run) }
    }

    /// Takes in what has been left in the inbox.
    func takeIn() { change { _ in } }

    /// How late it is; zero where no record is kept.
    var time: Duration { isTracing ? stopwatch.elapsed() : .zero }

    /// What is to be done; nil when it is nothing.
    @inline(__always)
    private func decide(_ event: (inout State) -> Void) -> Todo? {
        let time = time
        return state.withLock { state in
            state.takeIn()
            state.time = max(state.time, time)
            event(&state)
            state.reviewInbox()
            if !state.idleWaiters.isEmpty, state.schedule.isIdle { state.todo.add { swap(&state.idleWaiters, &$0.idleWaiters) } }
            guard !state.todo.isEmpty else { return nil }
            var todo = Todo()
            swap(&todo, &state.todo)
            return todo
        }
    }

    /// Performs everything but the runs.
    private func perform(_ todo: borrowing Todo) {
        guard let rareWork = todo.rareWork else {
            for operation in todo.changed { operation.announce() }
            return
        }
        for operation in rareWork.interrupted { operation.interrupt() }
        for (operation, setback) in rareWork.setbacks { operation.announce(setback) }
        for operation in todo.changed { operation.announce() }
        for flight in rareWork.checks { check(flight) }
        for flight in rareWork.coldStarts { limitColdStart(of: flight) }
        for waiter in rareWork.idleWaiters { waiter.resume() }
        if let time = rareWork.alarm { ring(at: time) }
    }

    private func begin(_ flight: Todo.Flight) {
        let worker = OperationWorker(in: self)
        worker.adopt(task { await self.work(on: flight, worker) })
    }

    /// Does the work of a flight, and then that of others as long as there are any.
    private func work(on first: Todo.Flight, _ worker: OperationWorker) async {
        var next: Todo.Flight? = first
        var turns = 0
        var pad = ScratchPad()
        while let flight = next {
            let (outcome, isInterrupted) = await flight.operation.perform(by: worker, for: flight.id)
            // A worker that was cancelled is of no use to others.
            next = finish(flight, outcome, isLast: isInterrupted || Task.isCancelled, on: &pad)
            turns += 1
            if turns % OperationWorker.turns == 0 { await Task.yield() }
        }
    }

    /// Gives what the same worker is to do next.
    private func finish(_ flight: Todo.Flight, _ outcome: WorkOutcome, isLast: Bool, on pad: inout ScratchPad) -> Todo.Flight? {
        guard case .ended(let end) = outcome else { return carryOn(decide { goOn(flight, outcome, &$0) }, isLast: isLast) }
        let isGauged = isGauging && end.settlement == .succeeded
        let transfer = isGauged ? flight.operation.takeTransfer(endingAt: stopwatch.elapsed()) : nil
        let todo = decide { state in
            state.exchange(&pad)
            if let transfer { state.handle(.gauge(flight.id, transfer)) }
            state.handle(.finish(flight.id, end.settlement), end: end)
            state.exchange(&pad)
        }
        return carryOn(todo, isLast: isLast)
    }

    /// Performs what is to be done but the first of the runs, which it gives unless it is the last that the worker did.
    private func carryOn(_ todo: consuming Todo?, isLast: Bool) -> Todo.Flight? {
        guard var todo else { return nil }
        perform(todo)
        let next = isLast ? nil : todo.runs.takeFirst()
        for run in todo.runs { begin(run) }
        return next
    }

    /// The work of a flight has ended, but not the flight.
    private func goOn(_ flight: Todo.Flight, _ outcome: WorkOutcome, _ state: inout State) {
        switch outcome {
        case .ended: preconditionFailure("what has ended does not go on")
        case .again(let setback):
            state.handle(.rest(flight.id, until: stopwatch.elapsed() + setback.pause))
            state.note(setback, of: flight.id)
        case .next where !state.schedule.isWanted(flight.id): state.handle(.finish(flight.id, .cancelled))
        case .next(let next):
            flight.operation.continues(with: next)
            goOn(flight.id, with: next, &state)
        }
    }

    private func goOn(_ flight: FlightID, with next: AnyOperation, _ state: inout State) {
        // The next operation may have the key of the one that named it: it must not join it.
        state.handle(.close(flight))
        if case .new(let newcomer) = next.standing {
            enlist(next, newcomer, Terms(demand: .expected(state.schedule.claim(of: flight))), &state)
        }
        if let wish = state.wish(of: next) {
            state.handle(.proceed(flight, with: wish), end: OperationEnd(error: OperationError.cycle(next.name)))
        } else if let end = next.end {
            state.handle(.finish(flight, end.settlement), end: end)
        } else {
            preconditionFailure("what is enlisted is a wish or has ended")
        }
    }

    private func check(_ flight: Todo.Flight) {
        flight.operation.check(by: OperationWorker(in: self), for: flight.id, on: executor) { [weak self] error in
            guard let self else { return }
            change { state in
                guard let error else { return state.handle(.met(flight.id)) }
                let end = OperationEnd(error: error)
                state.handle(.finish(flight.id, end.settlement), end: end)
            }
        }
    }

    private func limitColdStart(of flight: FlightID) {
        let end = stopwatch.elapsed() + LineGauge.coldLimit
        change { $0.handle(.limitColdStart(flight, until: end)) }
    }

    /// Rings once at this time, instead of whenever it would have rung next.
    private func ring(at time: Duration) {
        let alarm = task { [weak self, stopwatch] in
            guard (try? await stopwatch.sleep(time)) != nil else { return }
            self?.change { state in
                state.handle(.ring(stopwatch.elapsed()), end: OperationEnd(error: OperationError.deadlineExceeded))
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
