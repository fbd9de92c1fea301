extension OperationSchedule {
    /// Takes every step that the event set off, and those that these set off in turn.
    mutating func drain(_ effects: inout [Effect]) {
        var next = 0
        while next < steps.count {
            switch steps[next] {
            case .settle(let wish, let settlement): settle(wish, settlement, &effects)
            case .release(let wish, let flight): release(wish, from: flight)
            case .reprioritize(let wish): updatePriority(of: wish)
            case .refill(let lane): fill(lane, &effects)
            }
            next += 1
        }
        steps.removeAll(keepingCapacity: true)
    }

    // MARK: Ends

    private mutating func settle(_ wish: WishID, _ settlement: Settlement, _ effects: inout [Effect]) {
        guard wishes.contains(wish) else { return }
        let ended = wishes[wish]
        wishes.remove(wish)
        effects.append(.settle(ended.payload, settlement))
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
        case .ready, .running, .interrupted:
            break
        }
    }

    /// Ends a flight: its wishes get this end, and it lets go of what it depends on.
    mutating func conclude(_ flight: FlightID, _ settlement: Settlement) {
        let ended = remove(flight)
        for wish in ended.wishes { steps.append(.settle(wish, settlement)) }
    }

    /// A wish leaves its flight, which ends with the last of them.
    private mutating func leave(_ flight: FlightID, _ wish: WishID, _ effects: inout [Effect]) {
        guard flights.contains(flight), let index = flights[flight].wishes.firstIndex(of: wish) else { return }
        flights[flight].wishes.swapRemove(at: index)
        guard flights[flight].wishes.isEmpty else { return updatePriority(of: flight) }
        guard flights[flight].phase == .running else { _ = remove(flight); return }
        stopJoining(flight)
        flights[flight].phase = .interrupted
        effects.append(.interrupt(flights[flight].work))
    }

    private mutating func remove(_ flight: FlightID) -> Flight {
        let ended = flights[flight]
        if ended.phase == .ready {
            lanes[ended.lane]?.live -= 1
            steps.append(.refill(ended.lane))
        }
        stopJoining(flight)
        flights.remove(flight)
        for dependency in ended.dependencies { steps.append(.release(dependency, from: flight)) }
        return ended
    }

    /// A flight that ended no longer needs a wish; one that nobody else wants is withdrawn.
    private mutating func release(_ wish: WishID, from flight: FlightID) {
        guard wishes.contains(wish) else { return }
        wishes[wish].dependents.removeAll { $0 == flight }
        let isWanted = wishes[wish].asked != nil || !wishes[wish].dependents.isEmpty
        steps.append(isWanted ? .reprioritize(wish) : .settle(wish, .cancelled))
    }

    /// Nobody joins this flight from now on.
    mutating func stopJoining(_ flight: FlightID) {
        guard let key = flights[flight].key, joinable[key] == flight else { return }
        joinable[key] = nil
    }

    // MARK: Priorities

    private mutating func updatePriority(of wish: WishID) {
        // A wish may outlive its flight for a few steps, until its own settlement is taken.
        guard wishes.contains(wish), flights.contains(wishes[wish].flight) else { return }
        var priority = wishes[wish].asked ?? .leastUrgent
        for dependent in wishes[wish].dependents where flights.contains(dependent) {
            priority = max(priority, flights[dependent].priority)
        }
        guard priority != wishes[wish].priority else { return }
        wishes[wish].priority = priority
        updatePriority(of: wishes[wish].flight)
    }

    mutating func updatePriority(of flight: FlightID) {
        let priority = flights[flight].wishes.reduce(.leastUrgent) { max($0, wishes[$1].priority) }
        guard priority != flights[flight].priority else { return }
        flights[flight].priority = priority
        for dependency in flights[flight].dependencies { steps.append(.reprioritize(dependency)) }
        if flights[flight].phase == .ready { push(flight) }
    }

    // MARK: Lanes

    mutating func makeReady(_ flight: FlightID) {
        flights[flight].phase = .ready
        flights[flight].dependencies = []
        lanes[flights[flight].lane, default: LaneState(limits: plan.limits(of: flights[flight].lane))].live += 1
        push(flight)
    }

    private mutating func push(_ id: FlightID) {
        flights[id].stamp += 1
        let flight = flights[id]
        let entry = ReadyHeap<FlightID>.Entry(
            priority: flight.priority, arrival: flight.mark.arrivals, stamp: flight.stamp, flight: id)
        lanes[flight.lane]?.ready.push(entry)
        steps.append(.refill(flight.lane))
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
        while let entry = lane.ready.first {
            let isLive = isLive(entry)
            guard !isLive || lane.admits(entry.priority) else { break }
            lane.ready.removeFirst()
            if isLive { run(entry.flight, in: &lane, &effects) }
        }
        if lane.isCluttered { lane.ready.rebuild(keeping: isLive) }
        if !lane.isIdle { lanes[name] = lane }
    }

    private mutating func run(_ flight: FlightID, in lane: inout LaneState<FlightID>, _ effects: inout [Effect]) {
        lane.live -= 1
        lane.running += 1
        flights[flight].phase = .running
        effects.append(.run(flight, flights[flight].work))
    }

    private func isLive(_ entry: ReadyHeap<FlightID>.Entry) -> Bool {
        guard flights.contains(entry.flight) else { return false }
        let flight = flights[entry.flight]
        return flight.phase == .ready && flight.stamp == entry.stamp
    }
}

extension OperationPriority {
    /// Below every priority that can be asked for: what a wish has that nobody asks for.
    fileprivate static let leastUrgent = OperationPriority(.background, distance: .max)
}

extension Array {
    /// Removes an element in constant time, the last one taking its place.
    fileprivate mutating func swapRemove(at index: Int) {
        swapAt(index, count - 1)
        removeLast()
    }
}
