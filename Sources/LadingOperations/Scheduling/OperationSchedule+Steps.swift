extension OperationSchedule {
    /// Performs all steps of the event, and those that they cause in turn.
    mutating func performSteps() {
        var next = 0
        while next < steps.count {
            switch steps[next] {
            case .complete(let waiter, let status): completeWaiter(waiter, status)
            case .release(let waiter): release(waiter)
            case .raisePriority(let waiter, let share): raisePriority(of: waiter, to: share)
            case .lowerPriority(let waiter): lowerPriority(of: waiter)
            case .fill(let lane): fill(lane)
            case .startNextExcluded(let index):
                startNextExcluded(releasedExclusionGroups[index].name, releasedIn: releasedExclusionGroups[index].lane)
            }
            next += 1
        }
        steps.removeAllKeepingCapacity()
        if !releasedExclusionGroups.isEmpty { releasedExclusionGroups = [] }
    }

    /// Sets the phase of a flight, and reports it if it is observed or always reported.
    mutating func transition(_ flight: FlightID, to phase: FlightPhase) {
        flights[flight].phase = phase
        if phase.isAlwaysReported || flights[flight].isObserved { effects.append(.transition(flight, flights[flight].leader, phase)) }
    }

    // MARK: Completion

    private mutating func completeWaiter(_ waiter: WaiterID, _ status: CompletionStatus) {
        guard waiters.contains(waiter) else { return }
        let flight = waiters[waiter].flight
        let context = CompletionContext(
            share: waiters[waiter].share, parent: parent(of: waiter), flightEpoch: waiters[waiter].epoch,
            isLast: !flights.contains(flight) || flights[flight].waiters.count == 1 && flights[flight].phase != .finishing)
        let (operationID, isLeader, isPaused, index) = (
            waiters[waiter].operationID, waiters[waiter].isLeader, waiters[waiter].isPaused, waiters[waiter].index
        )
        effects.append(.complete(waiter, operationID, status, context))
        let dependents = waiters[waiter].dependents.isEmpty ? TinyArray() : waiters[waiter].dependents
        waiters.remove(waiter)
        for dependent in dependents where flights.contains(dependent) {
            dependencyCompleted(of: dependent, status)
        }
        if flights.contains(flight) { removeWaiter(from: flight, at: Int(index), wasPaused: isPaused) }
        if isLeader, flights.contains(flight) { flights[flight].hasLeaderLeft = true } else { effects.append(.release(operationID)) }
    }

    private mutating func dependencyCompleted(of flight: FlightID, _ status: CompletionStatus) {
        switch flights[flight].phase {
        case .continuing:
            completeFlight(flight, status == .expired ? .failed : status)
        case .waiting(let count):
            guard status == .succeeded || flights[flight].attributes?.runsOnFailure == true else {
                return completeFlight(flight, status == .cancelled ? .cancelled : .dependencyFailed)
            }
            flights[flight].phase = .waiting(count - 1)
            if count == 1 { checkOrEnqueue(flight) }
        case .checking, .checkInterrupted, .paused, .ready, .excluded, .running, .finishing, .interrupted, .awaitingRetry:
            break
        }
    }

    /// Completes a flight and its waiters, and releases its dependencies.
    mutating func completeFlight(_ flight: FlightID, _ status: CompletionStatus) {
        guard flights.contains(flight) else { return }
        for waiter in flights[flight].waiters { steps.append(.complete(waiter, status)) }
        remove(flight)
    }

    /// Removes a waiter from its flight, and interrupts or removes the flight when it was the last one.
    private mutating func removeWaiter(from flight: FlightID, at index: Int, wasPaused: Bool) {
        flights[flight].waiters.swapRemove(at: index)
        if wasPaused { flights[flight].pausedCount -= 1 }
        if index < flights[flight].waiters.count { waiters[flights[flight].waiters[index]].index = Int32(index) }
        guard flights[flight].waiters.isEmpty else {
            lowerPriority(of: flight)
            return updatePause(of: flight)
        }
        switch flights[flight].phase {
        case .running: interrupt(flight)
        case .finishing, .interrupted, .checkInterrupted: break
        case .checking: interrupt(flight, as: .checkInterrupted)
        case .waiting, .paused, .ready, .excluded, .awaitingRetry, .continuing: remove(flight)
        }
    }

    mutating func interrupt(_ flight: FlightID, as phase: FlightPhase = .interrupted) {
        stopJoining(flight)
        flights[flight].phase = phase
        effects.append(.interrupt(flight, flights[flight].leader))
    }

    /// Removes a flight and releases its dependencies.
    private mutating func remove(_ flight: FlightID) {
        stopJoining(flight)
        dequeue(flight)
        let lane = flights[flight].lane
        lanes[lane].flightCount -= 1
        if flights[flight].phase == .ready { steps.append(.fill(lane)) }
        startNextExcludedLater(flights[flight].attributes?.exclusionGroup, releasedIn: lane)
        for dependency in flights[flight].dependencies { steps.append(.release(dependency)) }
        if flights[flight].hasLeaderLeft { effects.append(.release(flights[flight].leader)) }
        flights.remove(flight)
    }

    /// Releases a waiter that a completed flight depended on; cancels it if nothing else needs it.
    private mutating func release(_ waiter: WaiterID) {
        guard waiters.contains(waiter) else { return }
        removeStaleDependents(of: waiter)
        let isNeeded = waiters[waiter].requested != nil || hasDependents(waiter)
        steps.append(isNeeded ? .lowerPriority(waiter) : .complete(waiter, .cancelled))
    }

    /// Counts a removed dependent of a waiter, and removes them from its list together once they are the majority.
    private mutating func removeStaleDependents(of waiter: WaiterID) {
        waiters[waiter].staleDependentCount += 1
        guard waiters[waiter].staleDependentCount > waiters[waiter].dependents.count / 2 + Self.staleDependentLimit else { return }
        waiters[waiter].dependents = TinyArray(waiters[waiter].dependents.filter { [flights] in flights.contains($0) })
        waiters[waiter].staleDependentCount = 0
    }

    /// Whether any flight depends on a waiter.
    mutating func hasDependents(_ waiter: WaiterID) -> Bool {
        while let last = waiters[waiter].dependents.last, !flights.contains(last) {
            waiters[waiter].dependents.removeLast()
        }
        return !waiters[waiter].dependents.isEmpty
    }

    /// Prevents other operations from joining a flight.
    mutating func stopJoining(_ flight: FlightID) {
        guard flights.contains(flight), let key = flights[flight].attributes?.key, joinableFlights[key] == flight else { return }
        joinableFlights[key] = nil
    }

    // MARK: Priorities

    private mutating func raisePriority(of waiter: WaiterID, to share: PriorityShare) {
        // A waiter may outlive its flight for a few steps, until its own completion is performed.
        guard waiters.contains(waiter), flights.contains(waiters[waiter].flight), share.priority > waiters[waiter].share.priority else {
            return
        }
        waiters[waiter].share = share
        raisePriority(of: waiters[waiter].flight, to: share)
    }

    mutating func raisePriority(of flight: FlightID, to share: PriorityShare) {
        guard share.priority > flights[flight].share.priority else { return }
        setPriority(of: flight, share)
        for dependency in flights[flight].dependencies { steps.append(.raisePriority(dependency, share)) }
    }

    /// Recomputes the share of a waiter after one of its sources has fallen. The search ends at a source equal to the previous share.
    private mutating func lowerPriority(of waiter: WaiterID) {
        guard waiters.contains(waiter), flights.contains(waiters[waiter].flight) else { return }
        let previous = waiters[waiter].share
        var share = waiters[waiter].requested ?? .minimum
        var index = 0
        while share != previous, index < waiters[waiter].dependents.count {
            let dependent = waiters[waiter].dependents[index]
            if flights.contains(dependent) {
                share = share.raised(to: flights[dependent].share)
                index += 1
            } else {
                waiters[waiter].dependents.swapRemove(at: index)
            }
        }
        guard share != previous else { return }
        waiters[waiter].share = share
        lowerPriority(of: waiters[waiter].flight)
    }

    private mutating func lowerPriority(of flight: FlightID) {
        let earlier = flights[flight].share
        var share = PriorityShare.minimum
        for waiter in flights[flight].waiters {
            share = share.raised(to: waiters[waiter].share)
            if share == earlier { return }
        }
        setPriority(of: flight, share)
        for dependency in flights[flight].dependencies { steps.append(.lowerPriority(dependency)) }
    }

    private mutating func setPriority(of flight: FlightID, _ share: PriorityShare) {
        let phase = flights[flight].phase
        dequeue(flight)
        flights[flight].share = share
        guard phase == .ready || phase == .excluded else { return }
        if phase == .ready { push(flight) } else { pushExcluded(flight) }
        // Without a holder, an excluded flight may be the most urgent one of its group now, and may use a slot reserved for visible work.
        startNextExcludedLater(flights[flight].attributes?.exclusionGroup, releasedIn: flights[flight].lane)
    }
}
