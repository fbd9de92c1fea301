extension OperationSchedule {
    /// Takes every step that the event set off, and those that these set off in turn.
    mutating func drain(_ effects: inout [Effect]) {
        var next = 0
        while next < steps.count {
            switch steps[next] {
            case .settle(let wish, let settlement): settle(wish, settlement, &effects)
            case .release(let wish, let flight): release(wish, from: flight)
            case .reclaim(let wish): updateClaim(of: wish)
            case .refill(let lane): fill(lane, &effects)
            }
            next += 1
        }
        steps.removeAll(keepingCapacity: true)
    }

    // MARK: Ends

    private mutating func settle(_ wish: WishID, _ settlement: Settlement, _ effects: inout [Effect]) {
        guard let ended = wishes.remove(wish) else { return }
        effects.append(.settle(wish, ended.payload, settlement))
        for dependent in ended.dependents where flights.contains(dependent) {
            dependencySettled(of: dependent, settlement)
        }
        leave(ended.flight, wish, &effects)
    }

    private mutating func dependencySettled(of flight: FlightID, _ settlement: Settlement) {
        switch flights[flight].phase {
        case .continuing:
            conclude(flight, settlement)
        case .waiting(let count):
            guard settlement == .succeeded || flights[flight].runsAnyway else {
                return conclude(flight, settlement == .cancelled ? .cancelled : .dependencyFailed)
            }
            flights[flight].phase = .waiting(count - 1)
            if count == 1 { makeReady(flight) }
        case .ready, .running, .landing, .interrupted:
            break
        }
    }

    /// Ends a flight: its wishes get this end, and it lets go of what it depends on.
    mutating func conclude(_ flight: FlightID, _ settlement: Settlement) {
        for wish in remove(flight) { steps.append(.settle(wish, settlement)) }
    }

    /// A wish leaves its flight, which ends with the last of them.
    private mutating func leave(_ flight: FlightID, _ wish: WishID, _ effects: inout [Effect]) {
        guard flights.contains(flight), let index = flights[flight].wishes.firstIndex(of: wish) else { return }
        flights[flight].wishes.swapRemove(at: index)
        guard flights[flight].wishes.isEmpty else { return updateClaim(of: flight) }
        switch flights[flight].phase {
        case .running: interrupt(flight, &effects)
        case .landing: break
        case .waiting, .ready, .interrupted, .continuing: _ = remove(flight)
        }
    }

    mutating func interrupt(_ flight: FlightID, _ effects: inout [Effect]) {
        stopJoining(flight)
        flights[flight].phase = .interrupted
        effects.append(.interrupt(flight, flights[flight].work))
    }

    /// Removes a flight, which lets go of what it depends on; its wishes are given back.
    private mutating func remove(_ flight: FlightID) -> [WishID] {
        stopJoining(flight)
        guard let ended = flights.remove(flight) else { return [] }
        if ended.phase == .ready {
            lanes[ended.lane]?[ended.claim.priority.urgency].live -= 1
            steps.append(.refill(ended.lane))
        }
        for dependency in ended.dependencies { steps.append(.release(dependency, from: flight)) }
        return ended.wishes
    }

    /// A flight that ended no longer needs a wish; one that nobody else wants is withdrawn.
    private mutating func release(_ wish: WishID, from flight: FlightID) {
        guard wishes.contains(wish) else { return }
        wishes[wish].dependents.removeAll { $0 == flight }
        let isWanted = wishes[wish].asked != nil || !wishes[wish].dependents.isEmpty
        steps.append(isWanted ? .reclaim(wish) : .settle(wish, .cancelled))
    }

    /// Nobody joins this flight from now on.
    mutating func stopJoining(_ flight: FlightID) {
        guard let key = flights[flight].key, joinable[key] == flight else { return }
        joinable[key] = nil
    }

    // MARK: Claims

    private mutating func updateClaim(of wish: WishID) {
        // A wish may outlive its flight for a few steps, until its own settlement is taken.
        guard wishes.contains(wish), flights.contains(wishes[wish].flight) else { return }
        var claim = wishes[wish].asked ?? .leastUrgent
        for dependent in wishes[wish].dependents where flights.contains(dependent) {
            claim = claim.orMoreUrgent(flights[dependent].claim)
        }
        guard claim != wishes[wish].claim else { return }
        wishes[wish].claim = claim
        updateClaim(of: wishes[wish].flight)
    }

    mutating func updateClaim(of flight: FlightID) {
        let earlier = flights[flight].claim
        let claim = flights[flight].wishes.reduce(Claim.leastUrgent) { $0.orMoreUrgent(wishes[$1].claim) }
        guard claim != earlier else { return }
        flights[flight].claim = claim
        for dependency in flights[flight].dependencies { steps.append(.reclaim(dependency)) }
        guard flights[flight].phase == .ready else { return }
        lanes[flights[flight].lane]?[earlier.priority.urgency].live -= 1
        push(flight)
    }

    // MARK: Lanes

    mutating func makeReady(_ flight: FlightID) {
        flights[flight].phase = .ready
        flights[flight].dependencies = []
        push(flight)
    }

    private mutating func push(_ id: FlightID) {
        flights[id].stamp += 1
        let (lane, claim) = (flights[id].lane, flights[id].claim)
        let entry = FairQueue.Entry(
            distance: claim.priority.distance, arrival: flights[id].mark.arrivals, stamp: flights[id].stamp, flight: id)
        lanes[lane, default: LaneState(limits: plan.limits(of: lane))][claim.priority.urgency].push(entry, for: claim.viewer)
        steps.append(.refill(lane))
    }

    mutating func freeSlot(of flight: FlightID) -> Lane {
        let lane = flights[flight].lane
        lanes[lane]?.running -= 1
        return lane
    }

    /// Starts what may start in a lane, and forgets a lane that has become idle.
    private mutating func fill(_ name: Lane, _ effects: inout [Effect]) {
        guard var lane = lanes[name] else { return }
        lanes[name] = nil
        if !paused.contains(where: { $0.contains(name) }) {
            while let flight = lane.takeNext(isLive: isLive) { run(flight, in: &lane, &effects) }
        }
        lane.tidy(isLive: isLive)
        if !lane.isIdle { lanes[name] = lane }
    }

    private mutating func run(_ flight: FlightID, in lane: inout LaneState, _ effects: inout [Effect]) {
        lane.running += 1
        flights[flight].phase = .running
        effects.append(.run(flight, flights[flight].work))
    }

    private func isLive(_ entry: FairQueue.Entry) -> Bool {
        flights.contains(entry.flight) && flights[entry.flight].phase == .ready && flights[entry.flight].stamp == entry.stamp
    }
}

extension Array {
    /// Removes an element in constant time, the last one taking its place.
    fileprivate mutating func swapRemove(at index: Int) {
        swapAt(index, count - 1)
        removeLast()
    }
}
