// The phases of a flight from the completion of its dependencies to a slot of its lane.
extension OperationSchedule {
    /// Checks the conditions of a flight without pending dependencies, or enqueues it.
    mutating func checkOrEnqueue(_ flight: FlightID) {
        flights[flight].dependencies = TinyArray()
        guard flights[flight].attributes?.hasConditions == true else { return enqueue(flight) }
        transition(flight, to: .checking)
        effects.append(.check(flight, flights[flight].leader))
    }

    /// Enqueues a flight for a slot of its lane, unless it is paused.
    mutating func enqueue(_ flight: FlightID) {
        guard !isPaused(flight) else { return pauseFlight(flight) }
        transition(flight, to: .ready)
        push(flight)
    }

    // MARK: Pause

    private func isPaused(_ flight: FlightID) -> Bool {
        flights[flight].pausedCount > 0 && Int(flights[flight].pausedCount) == flights[flight].waiters.count
    }

    /// Pauses a flight, or cancels it while the queue drains.
    mutating func pauseFlight(_ flight: FlightID) {
        guard isDraining else { return transition(flight, to: .paused) }
        flights[flight].phase = .paused
        for waiter in flights[flight].waiters { steps.append(.complete(waiter, .cancelled)) }
    }

    /// Dequeues a flight when its last waiter is paused, and enqueues it when the first is resumed.
    mutating func updatePause(of flight: FlightID) {
        switch flights[flight].phase {
        case .paused where !isPaused(flight):
            enqueue(flight)
        case .ready where isPaused(flight), .excluded where isPaused(flight):
            dequeue(flight)
            pauseFlight(flight)
            startNextExcludedLater(flights[flight].attributes?.exclusionGroup, releasedIn: flights[flight].lane)
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

    /// Returns the id of a lane; nil when the lane must be opened first.
    mutating func laneID(of lane: Lane) -> LaneID? {
        if let latestLane, latestLane.lane == lane { return latestLane.id }
        latestLane = laneIDs[lane].map { (lane, $0) }
        return latestLane?.id
    }

    mutating func open(_ lane: Lane) {
        guard laneIDs[lane] == nil else { return }
        removeIdleLanes()
        laneIDs[lane] = lanes.insert(LaneState(lane: lane, limits: configuration.limits(of: lane)))
    }

    /// Removes idle lanes. Servers determine the names of lanes, so their number is unbounded; a removed lane can be opened again.
    private mutating func removeIdleLanes() {
        guard lanes.count >= 2 * LaneConfiguration.idleLaneLimit else { return }
        for id in lanes.ids where lanes[id].flightCount == 0 {
            laneIDs[lanes[id].lane] = nil
            lanes.remove(id)
        }
        latestLane = nil
    }

    mutating func push(_ id: FlightID) {
        let entry = nextEntry(of: id)
        let (lane, share) = (flights[id].lane, flights[id].share)
        lanes[lane].ready[share.priority.urgency].push(entry, for: share.consumer)
        steps.append(.fill(lane))
    }

    mutating func pushExcluded(_ id: FlightID) {
        guard let group = flights[id].attributes?.exclusionGroup else { return }
        let entry = nextEntry(of: id)
        let share = flights[id].share
        exclusionGroups[group, default: ExclusionGroup()].push(entry, in: flights[id].lane, with: share)
    }

    private mutating func nextEntry(of id: FlightID) -> FairQueue.Entry {
        flights[id].entryVersion += 1
        return FairQueue.Entry(
            distance: flights[id].share.priority.distance, sequenceNumber: flights[id].epoch.sequenceNumber,
            subject: .flight(id, version: flights[id].entryVersion))
    }

    /// Replaces a queued entry by a waiter with a flight.
    mutating func makeFlight(for entry: QueuedEntry) -> FlightID {
        queuedCount -= 1
        let flight = flights.insert(
            Flight(
                leader: entry.operationID, lane: entry.lane, epoch: entry.epoch, attributes: nil, phase: .ready, dependencies: TinyArray(),
                share: entry.share, isObserved: false))
        let waiter = waiters.insert(
            Waiter(
                operationID: entry.operationID, flight: flight, epoch: entry.epoch, index: 0, isLeader: true, isPaused: false,
                requested: entry.share,
                share: entry.share))
        flights[flight].waiters.append(waiter)
        effects.append(.attachFromQueue(waiter, entry.operationID))
        return flight
    }

    /// Replaces all queued entries of a lane by waiters with flights.
    mutating func makeWaiters(in lane: LaneID) {
        for (urgency, entry, consumer) in lanes[lane].ready.removeOperations() {
            guard let entry = queuedEntry(for: entry, urgency, consumer, in: lane) else { continue }
            push(makeFlight(for: entry))
        }
    }

    /// Returns the queued operation of an entry; nil for the entry of a flight.
    private func queuedEntry(
        for entry: FairQueue.Entry, _ urgency: OperationPriority.Urgency, _ consumer: OperationConsumer, in lane: LaneID
    ) -> QueuedEntry? {
        guard case .operation(let operationID) = entry.subject else { return nil }
        let share = PriorityShare(priority: OperationPriority(urgency, distance: entry.distance), consumer: consumer)
        return QueuedEntry(operationID: operationID, lane: lane, share: share, epoch: FlightEpoch(sequenceNumber: entry.sequenceNumber))
    }

    /// Removes a flight from its queue; its entry is skipped when it reaches the front.
    mutating func dequeue(_ flight: FlightID) {
        guard flights.contains(flight) else { return }
        let urgency = flights[flight].share.priority.urgency
        switch flights[flight].phase {
        case .ready:
            lanes[flights[flight].lane].ready[urgency].liveCount -= 1
        case .excluded:
            guard let group = flights[flight].attributes?.exclusionGroup else { return }
            exclusionGroups[group]?.markRemoved(in: flights[flight].lane, urgency)
        default: break
        }
    }

    /// Releases the slot of a flight: `body` decides about the flight, then others of its exclusion group and of its lane may start.
    mutating func releaseSlot(of flight: FlightID, then body: (inout Self) -> Void) {
        let (lane, group) = (flights[flight].lane, flights[flight].attributes?.exclusionGroup)
        lanes[lane].running -= 1
        if let group { exclusionGroups[group]?.holder = nil }
        body(&self)
        // Before the lane is filled, as an excluded flight may be more urgent than a ready one of its group.
        startNextExcludedLater(group, releasedIn: lane)
        steps.append(.fill(lane))
    }

    /// Starts flights in a lane until it is full.
    mutating func fill(_ id: LaneID) {
        guard lanes.contains(id) else { return }
        guard pausedScopes.isEmpty || !pausedScopes.contains(where: { $0.contains(lanes[id].lane) }) else {
            return isDraining ? cancelReadyFlights(in: id) : ()
        }
        while lanes[id].hasRoom, let flight = popNext(in: id) { startUnlessExcluded(flight) }
        if lanes[id].ready.shouldCompact { compact(id) }
    }

    /// Cancels all flights that wait for a slot of a lane.
    private mutating func cancelReadyFlights(in id: LaneID) {
        makeWaiters(in: id)
        for flight in flights.ids where flights[flight].lane == id && flights[flight].phase == .ready {
            dequeue(flight)
            pauseFlight(flight)
        }
    }

    private mutating func popNext(in id: LaneID) -> FlightID? {
        // Peeking avoids a closure that captures the flights and thereby copies them for every operation.
        while let (urgency, entry, consumer) = lanes[id].peek() {
            if let queued = queuedEntry(for: entry, urgency, consumer, in: id) {
                lanes[id].ready[urgency].consumeNext()
                return makeFlight(for: queued)
            }
            if let flight = flights.liveFlight(of: entry, as: .ready) {
                lanes[id].ready[urgency].consumeNext()
                return flight
            }
            lanes[id].ready[urgency].dropNext()
        }
        return nil
    }

    private mutating func compact(_ id: LaneID) {
        lanes[id].ready.compact { [flights] in flights.liveFlight(of: $0, as: .ready) != nil }
    }

    private mutating func startUnlessExcluded(_ flight: FlightID) {
        if let group = flights[flight].attributes?.exclusionGroup {
            guard exclusionGroups[group]?.holder == nil else {
                transition(flight, to: .excluded)
                return pushExcluded(flight)
            }
            exclusionGroups[group, default: ExclusionGroup()].holder = flight
        }
        lanes[flights[flight].lane].running += 1
        transition(flight, to: .running)
        effects.append(.run(flight, flights[flight].leader))
        if lanes[flights[flight].lane].isCold { effects.append(.coldStart(flight)) }
    }

    // MARK: Exclusion groups

    /// Schedules a step that starts the next flight of an exclusion group after one of its flights in this lane has ended or changed.
    mutating func startNextExcludedLater(_ group: String?, releasedIn lane: LaneID) {
        guard let group else { return }
        steps.append(.startNextExcluded(releasedExclusionGroups.count))
        releasedExclusionGroups.append((group, lane))
    }

    /// Enqueues the most urgent flight of each waiting lane until one of them runs.
    mutating func startNextExcluded(_ name: String, releasedIn releasedLane: LaneID) {
        guard let group = exclusionGroups[name], group.holder == nil else { return }
        for (lane, urgency) in group.waitingLanes {
            // A ready flight of the group may be more urgent, and have waited for the slot.
            if let ready = lanes[releasedLane].ready.highestUrgency, ready > urgency { fill(releasedLane) }
            guard exclusionGroups[name]?.holder == nil else { break }
            guard let next = popExcluded(name, in: lane) else { continue }
            enqueue(next)
            fill(lane)
        }
        exclusionGroups[name]?.removeEmptyLanes()
        if exclusionGroups[name]?.isIdle == true { exclusionGroups[name] = nil }
    }

    private mutating func popExcluded(_ name: String, in lane: LaneID) -> FlightID? {
        exclusionGroups[name]?.popNext(in: lane) { [flights] in flights.liveFlight(of: $0, as: .excluded) != nil }
    }
}

extension SlotTable {
    /// Returns the flight of an entry; nil for a stale entry.
    fileprivate func liveFlight(of entry: FairQueue.Entry, as phase: FlightPhase) -> FlightID?
    where Element == OperationSchedule.Flight, Tag == FlightTag {
        guard case .flight(let flight, let version) = entry.subject, contains(flight) else { return nil }
        return self[flight].entryVersion == version && self[flight].phase == phase ? flight : nil
    }
}
