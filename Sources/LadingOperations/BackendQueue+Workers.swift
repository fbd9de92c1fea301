import Timing

/// The buffers of a worker for effects and steps; empty between two events.
///
/// Each worker has its own, because memory written by two threads moves between their processor caches.
private struct ScratchBuffers {
    var effects: [OperationSchedule.Effect] = []
    var steps: [OperationSchedule.Step] = []
}

extension BackendQueue.State {
    /// Swaps in the buffers of the calling worker, or swaps them out again on the second call.
    fileprivate mutating func swapBuffers(with buffers: inout ScratchBuffers) {
        swap(&buffers.effects, &effects)
        swap(&buffers.steps, &schedule.steps)
    }
}

extension BackendQueue {
    func startWork(on flight: PendingEffects.Flight) {
        let worker = OperationWorker(in: self)
        worker.setTask(task { await self.work(on: flight, worker) })
    }

    /// Runs a flight, and then the flights that follow it on the same worker.
    private func work(on first: PendingEffects.Flight, _ worker: OperationWorker) async {
        var next: PendingEffects.Flight? = first
        var completedCount = 0
        var buffers = ScratchBuffers()
        while let flight = next {
            let (outcome, isInterrupted) = await flight.operation.perform(by: worker, for: flight.id)
            // A cancelled worker cannot run further flights.
            next = finish(flight, outcome, isLast: isInterrupted || Task.isCancelled, buffers: &buffers)
            completedCount += 1
            if completedCount % OperationWorker.yieldInterval == 0 { await Task.yield() }
        }
    }

    /// Reports the outcome of a flight to the schedule and returns the next flight for the worker.
    private func finish(_ flight: PendingEffects.Flight, _ outcome: WorkOutcome, isLast: Bool, buffers: inout ScratchBuffers)
        -> PendingEffects.Flight?
    {
        guard case .completed(let completion) = outcome else {
            return performExceptFirstRun(collectEffects { continueFlight(flight, outcome, &$0) }, isLast: isLast)
        }
        let isMeasured = isAdaptive && completion.status == .succeeded
        let sample = isMeasured ? flight.operation.consumeTransferSample(endingAt: stopwatch.elapsed()) : nil
        let pendingEffects = collectEffects { state in
            state.swapBuffers(with: &buffers)
            if let sample { state.handle(.recordTransfer(flight.id, sample)) }
            state.handle(.finish(flight.id, completion.status), completion: completion)
            state.swapBuffers(with: &buffers)
        }
        return performExceptFirstRun(pendingEffects, isLast: isLast)
    }

    /// Performs the effects except the first run, which it returns for the same worker unless this was the worker's last flight.
    private func performExceptFirstRun(_ pendingEffects: consuming PendingEffects?, isLast: Bool) -> PendingEffects.Flight? {
        guard var pendingEffects else { return nil }
        perform(pendingEffects)
        let next = isLast ? nil : pendingEffects.runs.popFirst()
        for run in pendingEffects.runs { startWork(on: run) }
        return next
    }

    /// Retries a flight, or makes it depend on the operation that its work produced.
    private func continueFlight(_ flight: PendingEffects.Flight, _ outcome: WorkOutcome, _ state: inout State) {
        switch outcome {
        case .completed: preconditionFailure("a completed flight cannot continue")
        case .retry(let event):
            state.handle(.retry(flight.id, at: stopwatch.elapsed() + event.delay))
            state.recordRetry(event, of: flight.id)
        case .next where !state.schedule.hasWaiters(flight.id): state.handle(.finish(flight.id, .cancelled))
        case .next(let next):
            flight.operation.forwardProgress(to: next, &state.pendingEffects)
            continueFlight(flight.id, with: next, &state)
        }
    }

    private func continueFlight(_ flight: FlightID, with next: AnyOperation, _ state: inout State) {
        // The next operation may have the same key as the flight, and must not join it.
        state.handle(.stopJoining(flight))
        if case .new(let properties) = next.submissionState {
            addWaiters(for: next, properties, SubmissionOptions(demand: .inherited(state.schedule.share(of: flight))), &state)
        }
        if let waiter = state.waiter(of: next, in: self) {
            state.handle(.proceed(flight, with: waiter), completion: OperationCompletion(error: OperationError.cycle(next.name)))
        } else if let completion = next.completion {
            state.handle(.finish(flight, completion.status), completion: completion)
        } else {
            preconditionFailure("an added operation must have a waiter or be completed")
        }
    }

    func check(_ flight: PendingEffects.Flight) {
        flight.operation.check(by: OperationWorker(in: self), for: flight.id) { [weak self] error in
            guard let self else { return }
            change { state in
                guard let error else { return state.handle(.conditionsSatisfied(flight.id)) }
                let completion = OperationCompletion(error: error)
                state.handle(.finish(flight.id, completion.status), completion: completion)
            }
        }
    }
}
