extension OperationSchedule {
    /// Takes every step that the event set off, and those that these set off in turn.
    mutating func drain() {
        var next = 0
        while next < steps.count {
            switch steps[next] {
            case .settle(let wish, let settlement): settle(wish, settlement)
            case .release(let wish): release(wish)
            case .raise(let wish, let claim): raiseClaim(of: wish, to: claim)
            case .reclaim(let wish): lowerClaim(of: wish)
            case .refill(let lane): fill(lane)
            case .summon(let index): summon(summoned[index])
            }
            next += 1
        }
        steps.clear()
        if !summoned.isEmpty { summoned = [] }
    }

    /// Puts a flight into a phase, and tells those who follow it.
    mutating func turn(_ flight: FlightID, to phase: FlightPhase) {
        flights[flight].phase = phase
        if phase.isRare || flights[flight].isWatched { effects.append(.turn(flight, flights[flight].work, phase)) }
    }

    // MARK: Ends

    private mutating func settle(_ wish: WishID, _ settlement: Settlement) {
        guard wishes.contains(wish) else { return }
        let flight = wishes[wish].flight
        let circumstances = Circumstances(
            claim: wishes[wish].claim, parent: parent(of: wish), flight: wishes[wish].mark,
            isLast: !flights.contains(flight) || flights[flight].wishes.count == 1 && flights[flight].phase != .landing)
        let (ticket, isLeader, isPaused, place) = (wishes[wish].ticket, wishes[wish].isLeader, wishes[wish].isPaused, wishes[wish].place)
        effects.append(.settle(wish, ticket, settlement, circumstances))
        let dependents = wishes[wish].dependents.isEmpty ? ShortList() : wishes[wish].dependents
        wishes.remove(wish)
        for dependent in dependents where flights.contains(dependent) {
            dependencySettled(of: dependent, settlement)
        }
        if flights.contains(flight) { leave(flight, at: Int(place), wasPaused: isPaused) }
        if isLeader, flights.contains(flight) { flights[flight].isLeaderGone = true } else { effects.append(.forget(ticket)) }
    }

    private mutating func dependencySettled(of flight: FlightID, _ settlement: Settlement) {
        switch flights[flight].phase {
        case .continuing:
            conclude(flight, settlement == .expired ? .failed : settlement)
        case .waiting(let count):
            guard settlement == .succeeded || flights[flight].traits?.runsAnyway == true else {
                return conclude(flight, settlement == .cancelled ? .cancelled : .dependencyFailed)
            }
            flights[flight].phase = .waiting(count - 1)
            if count == 1 { checkOrLineUp(flight) }
        case .checking, .abandoned, .held, .ready, .excluded, .running, .landing, .interrupted, .resting:
            break
        }
    }

    /// Ends a flight: its wishes get this end, and it lets go of what it depends on.
    mutating func conclude(_ flight: FlightID, _ settlement: Settlement) {
        guard flights.contains(flight) else { return }
        for wish in flights[flight].wishes { steps.append(.settle(wish, settlement)) }
        remove(flight)
    }

    /// A wish leaves its flight, which ends with the last of them.
    private mutating func leave(_ flight: FlightID, at place: Int, wasPaused: Bool) {
        flights[flight].wishes.swapRemove(at: place)
        if wasPaused { flights[flight].pausedCount -= 1 }
        if place < flights[flight].wishes.count { wishes[flights[flight].wishes[place]].place = Int32(place) }
        guard flights[flight].wishes.isEmpty else {
            lowerClaim(of: flight)
            return reviewHold(of: flight)
        }
        switch flights[flight].phase {
        case .running: interrupt(flight)
        case .landing, .interrupted, .abandoned: break
        case .checking: interrupt(flight, as: .abandoned)
        case .waiting, .held, .ready, .excluded, .resting, .continuing: remove(flight)
        }
    }

    mutating func interrupt(_ flight: FlightID, as phase: FlightPhase = .interrupted) {
        stopJoining(flight)
        flights[flight].phase = phase
        effects.append(.interrupt(flight, flights[flight].work))
    }

    /// Removes a flight, which lets go of what it depends on.
    private mutating func remove(_ flight: FlightID) {
        stopJoining(flight)
        takeOutOfLine(flight)
        let lane = flights[flight].lane
        lanes[lane].flightCount -= 1
        if flights[flight].phase == .ready { steps.append(.refill(lane)) }
        summonLater(flights[flight].traits?.exclusion)
        for dependency in flights[flight].dependencies { steps.append(.release(dependency)) }
        if flights[flight].isLeaderGone { effects.append(.forget(flights[flight].work)) }
        flights.remove(flight)
    }

    /// A flight that ended no longer needs a wish; one that nobody else wants is withdrawn.
    private mutating func release(_ wish: WishID) {
        guard wishes.contains(wish) else { return }
        forgetGoneDependents(of: wish)
        let isWanted = wishes[wish].asked != nil || hasDependents(wish)
        steps.append(isWanted ? .reclaim(wish) : .settle(wish, .cancelled))
    }

    /// One more of the flights that waited for a wish has gone. They leave the list together, once they are the greater part of it.
    private mutating func forgetGoneDependents(of wish: WishID) {
        wishes[wish].goneDependents += 1
        guard wishes[wish].goneDependents > wishes[wish].dependents.count / 2 + Self.goneDependentLimit else { return }
        wishes[wish].dependents = ShortList(wishes[wish].dependents.filter { [flights] in flights.contains($0) })
        wishes[wish].goneDependents = 0
    }

    /// Whether a flight waits for a wish.
    mutating func hasDependents(_ wish: WishID) -> Bool {
        while let last = wishes[wish].dependents.last, !flights.contains(last) {
            wishes[wish].dependents.swapRemove(at: wishes[wish].dependents.count - 1)
        }
        return !wishes[wish].dependents.isEmpty
    }

    /// Nobody joins this flight from now on.
    mutating func stopJoining(_ flight: FlightID) {
        guard flights.contains(flight), let key = flights[flight].traits?.key, joinable[key] == flight else { return }
        joinable[key] = nil
    }

    // MARK: Claims

    private mutating func raiseClaim(of wish: WishID, to claim: Claim) {
        // A wish may outlive its flight for a few steps, until its own settlement is taken.
        guard wishes.contains(wish), flights.contains(wishes[wish].flight), claim.priority > wishes[wish].claim.priority else { return }
        wishes[wish].claim = claim
        raiseClaim(of: wishes[wish].flight, to: claim)
    }

    mutating func raiseClaim(of flight: FlightID, to claim: Claim) {
        guard claim.priority > flights[flight].claim.priority else { return }
        setClaim(of: flight, claim)
        for dependency in flights[flight].dependencies { steps.append(.raise(dependency, claim)) }
    }

    /// Finds out the most urgent claim on a wish after one of them has fallen. What is as urgent as before ends the search.
    private mutating func lowerClaim(of wish: WishID) {
        guard wishes.contains(wish), flights.contains(wishes[wish].flight) else { return }
        let earlier = wishes[wish].claim
        var claim = wishes[wish].asked ?? .leastUrgent
        var index = 0
        while claim != earlier, index < wishes[wish].dependents.count {
            let dependent = wishes[wish].dependents[index]
            if flights.contains(dependent) {
                claim = claim.orMoreUrgent(flights[dependent].claim)
                index += 1
            } else {
                wishes[wish].dependents.swapRemove(at: index)
            }
        }
        guard claim != earlier else { return }
        wishes[wish].claim = claim
        lowerClaim(of: wishes[wish].flight)
    }

    private mutating func lowerClaim(of flight: FlightID) {
        let earlier = flights[flight].claim
        var claim = Claim.leastUrgent
        for wish in flights[flight].wishes {
            claim = claim.orMoreUrgent(wishes[wish].claim)
            if claim == earlier { return }
        }
        setClaim(of: flight, claim)
        for dependency in flights[flight].dependencies { steps.append(.reclaim(dependency)) }
    }

    private mutating func setClaim(of flight: FlightID, _ claim: Claim) {
        let phase = flights[flight].phase
        takeOutOfLine(flight)
        flights[flight].claim = claim
        if phase == .ready { push(flight) }
        if phase == .excluded { pushExcluded(flight) }
    }
}
