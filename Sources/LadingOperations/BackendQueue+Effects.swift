import Synchronization
import Timing

extension BackendQueue.State {
    /// Handles an event that completes no operation, except by cancelling it.
    @inline(__always)
    mutating func handle(_ event: consuming OperationSchedule.Event, in queue: BackendQueue? = nil) {
        handle(event, in: queue, completion: .cancelled)
    }

    /// Passes an event to the schedule, records it, and collects the effects until the lock is released.
    ///
    /// - Parameters:
    ///   - queue: The queue that operations are attached to, if the event can attach any.
    ///   - completion: The result of the flight that the event completes, which becomes that of all its waiters.
    mutating func handle(_ event: consuming OperationSchedule.Event, in queue: BackendQueue? = nil, completion: OperationCompletion) {
        if log.needsSegment(operations: schedule.operationCount, capacity: schedule.capacity) { log.beginSegment(with: schedule) }
        log.appendEvent(event)
        schedule.handle(event, effects: &effects)
        log.appendEffects(effects)
        for index in effects.indices { perform(effects[index], in: queue, completion) }
        effects.removeAllKeepingCapacity()
    }

    /// Performs an effect that is possible under the lock, or collects it for later.
    @inline(__always)
    private mutating func perform(_ effect: OperationSchedule.Effect, in queue: BackendQueue?, _ completion: OperationCompletion) {
        let isTraced = log.limit > 0
        switch effect {
        case .enqueue(let entry):
            let operation = operations[entry.operationID]
            if isTraced { trace(entry, operation) }
            if let queue, !operation.attach(to: queue, at: entry, releasing: &pendingEffects.released) {
                deferredChanges.append(operation)
            }
        case .attachFromQueue(let waiter, let operationID): operations[operationID].attach(as: waiter)
        case .attach(let waiter, let operationID, let result):
            let operation = operations[operationID]
            if isTraced { trace(result, of: waiter, operation) }
            if let queue { attach(operation, to: queue, as: waiter, result) }
        case .check(let flight, let operationID):
            let operation = operations[operationID]
            if isTraced { trace(.checking, of: flight, operation, .dependency) }
            pendingEffects.add { $0.checks.append(.init(id: flight, operation: operation)) }
        case .run(let flight, let operationID):
            let operation = operations[operationID]
            if isTraced { trace(.started, of: flight, operation, .visibleFirst) }
            pendingEffects.runs.append(.init(id: flight, operation: operation))
        case .coldStart(let flight): pendingEffects.add { $0.coldStarts.append(flight) }
        case .interrupt(let flight, let operationID):
            let operation = operations[operationID]
            if isTraced { trace(.interrupted, of: flight, operation, .singleFlight) }
            pendingEffects.add { $0.interrupted.append(operation) }
        case .transition(let flight, let operationID, let phase):
            if isTraced, let (outcome, reason) = phase.traceEntry { trace(outcome, of: flight, operations[operationID], reason) }
            recordTransition(of: flight, phase)
        case .complete(_, let operationID, let status, let context):
            let operation = operations[operationID]
            if isTraced { trace(status, of: operation, context) }
            if operation.complete(status, completion, dropsWork: context.isLast, releasing: &pendingEffects.released) {
                pendingEffects.changed.append(operation)
            }
        case .release(let operationID): pendingEffects.released.append(operations.remove(operationID))
        case .wake(let time): pendingEffects.add { $0.wakeTime = time }
        }
    }

    private mutating func attach(_ operation: AnyOperation, to queue: BackendQueue, as waiter: WaiterID, _ result: JoinResult) {
        let isUnchanged = operation.attach(
            to: queue, as: waiter, isPaused: schedule.waiters[waiter].isPaused, epoch: schedule.epoch(of: waiter),
            joining: result == .joined ? operations[schedule.leader(of: waiter)] : nil, &pendingEffects)
        if !isUnchanged { deferredChanges.append(operation) }
    }

    /// Returns the waiter of an operation that is attached to this queue. A queued operation is converted to a waiter first.
    mutating func waiter(of operation: AnyOperation, in queue: BackendQueue) -> WaiterID? {
        switch operation.position(in: queue) {
        case .detached: return nil
        case .waiter(let waiter): return waiter
        case .queued(let operationID):
            if let share = operations.share(of: operationID), let epoch = operation.box.withLock({ $0.flightEpoch }),
                let lane = schedule.laneID(of: operation.lane)
            {
                handle(.makeWaiter(QueuedEntry(operationID: operationID, lane: lane, share: share, epoch: epoch)))
            }
            guard case .waiter(let waiter) = operation.position else { return nil }
            return waiter
        }
    }

    /// Applies cancellations and pauses that occurred during submission.
    mutating func applyDeferredChanges(in queue: BackendQueue) {
        guard !deferredChanges.isEmpty else { return }
        for operation in deferredChanges {
            guard let waiter = waiter(of: operation, in: queue) else { continue }
            let (isCompleted, isPaused) = operation.box.withLock { ($0.completion != nil, $0.isPaused) }
            handle(isCompleted ? .cancel(waiter) : isPaused ? .pauseWaiter(waiter) : .resumeWaiter(waiter))
        }
        deferredChanges = []
    }

    /// Records a retry for all operations that depend on a flight.
    mutating func recordRetry(_ event: RetryEvent, of flight: FlightID) {
        for operation in schedule.operationsAwaiting(flight).map({ operations[$0] })
        where operation.recordRetry(event, releasing: &pendingEffects.released) {
            pendingEffects.add { $0.retries.append((operation, event)) }
        }
    }

    private mutating func recordTransition(of flight: FlightID, _ phase: FlightPhase) {
        guard schedule.flights.contains(flight), schedule.flights[flight].isObserved else { return }
        for waiter in schedule.flights[flight].waiters {
            let operation = operations[schedule.waiters[waiter].operationID]
            operation.recordState(OperationState(schedule.phase(of: waiter, in: phase)))
            pendingEffects.changed.append(operation)
        }
    }
}

extension BackendQueue {
    /// Changes the schedule under the lock and performs the effects after unlocking.
    ///
    /// Results are written under the lock, because a dependent may begin on another thread as soon as the lock is released, and reads them.
    @inline(__always)
    func change(_ event: (inout State) -> Void) {
        guard let pendingEffects = collectEffects(event) else { return }
        perform(pendingEffects)
        for run in pendingEffects.runs { startWork(on: run) }
    }

    /// The elapsed time; zero when nothing is recorded.
    var time: Duration { isTracing ? stopwatch.elapsed() : .zero }

    /// Applies an event under the lock and returns the collected effects; nil when there are none.
    @inline(__always)
    func collectEffects(_ event: (inout State) -> Void) -> PendingEffects? {
        let time = time
        return state.withLock { state in
            state.time = max(state.time, time)
            event(&state)
            if !state.idleWaiters.isEmpty, state.schedule.isIdle { state.pendingEffects.add { swap(&state.idleWaiters, &$0.idleWaiters) } }
            guard !state.pendingEffects.isEmpty else { return nil }
            var pendingEffects = PendingEffects()
            swap(&pendingEffects, &state.pendingEffects)
            return pendingEffects
        }
    }

    /// Performs all effects except starting work.
    func perform(_ pendingEffects: borrowing PendingEffects) {
        guard let rareEffects = pendingEffects.rareEffects else {
            for operation in pendingEffects.changed { operation.notifyObservers() }
            return
        }
        for operation in rareEffects.interrupted { operation.interrupt() }
        for (operation, event) in rareEffects.retries { operation.notifyRetryObservers(event) }
        for progress in rareEffects.progress { progress.notifyReaders() }
        for operation in pendingEffects.changed { operation.notifyObservers() }
        for flight in rareEffects.checks { check(flight) }
        for flight in rareEffects.coldStarts { limitColdStart(of: flight) }
        for waiter in rareEffects.idleWaiters { waiter.resume() }
        if let time = rareEffects.wakeTime { setTimer(at: time) }
    }
}
