// What a flight goes through from the end of its dependencies to a slot of its lane.
extension OperationSchedule {
    /// All that a flight depends on has ended.
    mutating func checkOrLineUp(_ flight: FlightID) {
        flights[flight].dependencies = ShortList()
        guard flights[flight].traits?.isConditional == true else { return lineUp(flight) }
        turn(flight, to: .checking)
        effects.append(.check(flight, flights[flight].work))
    }

    /// Nothing but a slot stands between a flight and its work, unless it is paused.
    mutating func lineUp(_ flight: FlightID) {
        guard !isHeld(flight) else { return hold(flight) }
        turn(flight, to: .ready)
        push(flight)
    }

    // MARK: Pause

    private func isHeld(_ flight: FlightID) -> Bool {
        flights[flight].pausedCount > 0 && Int(flights[flight].pausedCount) == flights[flight].wishes.count
    }

    /// Keeps a flight until somebody frees it.
    mutating func hold(_ flight: FlightID) {
        guard isWindingUp else { return turn(flight, to: .held) }
        flights[flight].phase = .held
        for wish in flights[flight].wishes { steps.append(.settle(wish, .cancelled)) }
    }

    /// Takes a flight out of its line, or puts it there again, when the last of its wishes is paused or the first of them freed.
    mutating func reviewHold(of flight: FlightID) {
        switch flights[flight].phase {
        case .held where !isHeld(flight):
            lineUp(flight)
        case .ready where isHeld(flight), .excluded where isHeld(flight):
            takeOutOfLine(flight)
            hold(flight)
            summonLater(flights[flight].traits?.exclusion)
        default: break
        }
    }

    // MARK: Lanes

    var laneStatuses: [LaneStatus] {
        lanes.ids.map { id in
            LaneStatus(
                lane: lanes[id].lane, limits: lanes[id].limits, width: lanes[id].width, running: lanes[id].running,
                waiting: lanes[id].flightCount - lanes[id].running)
        }
    }

    /// Where a lane is; nil when it is to be opened first.
    mutating func laneID(of lane: Lane) -> LaneID? {
        if let latestLane, latestLane.lane == lane { return latestLane.id }
        latestLane = laneIDs[lane].map { (lane, $0) }
        return latestLane?.id
    }

    /// The lane that was asked for last, if none of its slots is free.
    var latestFullLane: (lane: Lane, id: LaneID)? {
        guard let latestLane, lanes[latestLane.id].isFull else { return nil }
        return latestLane
    }

    mutating func open(_ lane: Lane) {
        guard laneIDs[lane] == nil else { return }
        forgetIdleLanes()
        laneIDs[lane] = lanes.insert(LaneState(lane: lane, limits: plan.limits(of: lane)))
    }

    /// Lanes are named by servers, so that there is no end to them; those that nothing is in can be made anew.
    private mutating func forgetIdleLanes() {
        guard lanes.count >= 2 * LanePlan.keptLanes else { return }
        for id in lanes.ids where lanes[id].flightCount == 0 {
            laneIDs[lanes[id].lane] = nil
            lanes.remove(id)
        }
        latestLane = nil
    }

    mutating func push(_ id: FlightID) {
        let entry = nextEntry(of: id)
        let (lane, claim) = (flights[id].lane, flights[id].claim)
        lanes[lane].ready[claim.priority.urgency].push(entry, for: claim.viewer)
        steps.append(.refill(lane))
    }

    mutating func pushExcluded(_ id: FlightID) {
        guard let exclusion = flights[id].traits?.exclusion else { return }
        let entry = nextEntry(of: id)
        let claim = flights[id].claim
        exclusions[exclusion, default: Exclusion()].push(entry, in: flights[id].lane, as: claim)
    }

    private mutating func nextEntry(of id: FlightID) -> FairQueue.Entry {
        flights[id].stamp += 1
        return FairQueue.Entry(
            distance: flights[id].claim.priority.distance, arrival: flights[id].mark.arrivals,
            subject: .flight(id, stamp: flights[id].stamp))
    }

    /// One that stands in line becomes a wish with a flight.
    mutating func makeFlight(of place: PlaceInLine) -> FlightID {
        standing -= 1
        let flight = flights.insert(
            Flight(
                work: place.ticket, lane: place.lane, mark: place.mark, traits: nil, phase: .ready, dependencies: ShortList(),
                claim: place.claim, isWatched: false))
        let wish = wishes.insert(
            Wish(
                ticket: place.ticket, flight: flight, mark: place.mark, place: 0, isLeader: true, isPaused: false, asked: place.claim,
                claim: place.claim))
        flights[flight].wishes.append(wish)
        effects.append(.enlist(wish, place.ticket, .called))
        return flight
    }

    /// All that stand in the line of a lane become wishes with flights.
    mutating func callAll(in lane: LaneID) {
        for (urgency, entry, viewer) in lanes[lane].ready.takeOperations() {
            guard let place = place(of: entry, urgency, viewer, in: lane) else { continue }
            push(makeFlight(of: place))
        }
    }

    /// The place of an entry; nil when it is that of a flight.
    private func place(
        of entry: FairQueue.Entry, _ urgency: OperationPriority.Urgency, _ viewer: OperationViewer, in lane: LaneID
    ) -> PlaceInLine? {
        guard case .operation(let ticket) = entry.subject else { return nil }
        let claim = Claim(priority: OperationPriority(urgency, distance: entry.distance), viewer: viewer)
        return PlaceInLine(ticket: ticket, lane: lane, claim: claim, mark: OperationMark(arrivals: entry.arrival))
    }

    /// A flight that stands in a line does so no more; its entry is skipped when it surfaces.
    mutating func takeOutOfLine(_ flight: FlightID) {
        guard flights.contains(flight) else { return }
        let urgency = flights[flight].claim.priority.urgency
        switch flights[flight].phase {
        case .ready:
            lanes[flights[flight].lane].ready[urgency].live -= 1
            flights[flight].stamp += 1
        case .excluded:
            guard let exclusion = flights[flight].traits?.exclusion else { return }
            exclusions[exclusion]?.leave(flights[flight].lane, urgency)
            flights[flight].stamp += 1
        default: break
        }
    }

    /// The work of a flight has ended: what becomes of it comes first, then its slot is given to others, and those that it excluded may run.
    mutating func leaveSlot(of flight: FlightID, then go: (inout Self) -> Void) {
        let (lane, exclusion) = (flights[flight].lane, flights[flight].traits?.exclusion)
        lanes[lane].running -= 1
        if let exclusion { exclusions[exclusion]?.holder = nil }
        go(&self)
        steps.append(.refill(lane))
        summonLater(exclusion)
    }

    /// Starts what may start in a lane.
    mutating func fill(_ id: LaneID) {
        guard lanes.contains(id) else { return }
        guard paused.isEmpty || !paused.contains(where: { $0.contains(lanes[id].lane) }) else { return isWindingUp ? clear(id) : () }
        while lanes[id].hasRoom, let flight = takeNext(in: id) { startUnlessExcluded(flight) }
        if lanes[id].ready.needsTidying { tidy(id) }
    }

    /// Cancels all that waits for a slot of a lane.
    private mutating func clear(_ id: LaneID) {
        callAll(in: id)
        for flight in flights.ids where flights[flight].lane == id && flights[flight].phase == .ready {
            takeOutOfLine(flight)
            hold(flight)
        }
    }

    private mutating func takeNext(in id: LaneID) -> FlightID? {
        // Looked at before it is taken: a closure that knows the flights would copy them, for every operation.
        while let (urgency, entry, viewer) = lanes[id].next() {
            if let place = place(of: entry, urgency, viewer, in: id) {
                lanes[id].ready[urgency].takeNext()
                return makeFlight(of: place)
            }
            if let flight = flights.inLine(entry, as: .ready) {
                lanes[id].ready[urgency].takeNext()
                return flight
            }
            lanes[id].ready[urgency].dropNext()
        }
        return nil
    }

    private mutating func tidy(_ id: LaneID) {
        lanes[id].ready.tidy { [flights] in flights.inLine($0, as: .ready) != nil }
    }

    private mutating func startUnlessExcluded(_ flight: FlightID) {
        if let exclusion = flights[flight].traits?.exclusion {
            guard exclusions[exclusion]?.holder == nil else {
                turn(flight, to: .excluded)
                return pushExcluded(flight)
            }
            exclusions[exclusion, default: Exclusion()].holder = flight
        }
        lanes[flights[flight].lane].running += 1
        turn(flight, to: .running)
        effects.append(.run(flight, flights[flight].work))
        if lanes[flights[flight].lane].isCold { effects.append(.coldStart(flight)) }
    }

    // MARK: Exclusion

    /// One of an exclusion has left, so that another may run.
    mutating func summonLater(_ exclusion: String?) {
        guard let exclusion else { return }
        steps.append(.summon(summoned.count))
        summoned.append(exclusion)
    }

    /// Lets those line up that only one another keep from running, the most urgent of each lane, until one of them runs.
    mutating func summon(_ name: String) {
        guard let exclusion = exclusions[name], exclusion.holder == nil else { return }
        for lane in exclusion.waitingLanes where exclusions[name]?.holder == nil {
            guard let next = takeExcluded(name, in: lane) else { continue }
            lineUp(next)
            fill(lane)
        }
        exclusions[name]?.forgetEmptyLanes()
        if exclusions[name]?.isIdle == true { exclusions[name] = nil }
    }

    private mutating func takeExcluded(_ name: String, in lane: LaneID) -> FlightID? {
        exclusions[name]?.takeNext(in: lane) { [flights] in flights.inLine($0, as: .excluded) != nil }
    }
}

extension SlotTable {
    /// The flight that an entry of a line still stands for.
    fileprivate func inLine(_ entry: FairQueue.Entry, as phase: FlightPhase) -> FlightID?
    where Element == OperationSchedule.Flight, Subject == FlightTag {
        guard case .flight(let flight, let stamp) = entry.subject, contains(flight) else { return nil }
        return self[flight].stamp == stamp && self[flight].phase == phase ? flight : nil
    }
}
