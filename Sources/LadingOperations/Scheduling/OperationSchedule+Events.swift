import Decisions

extension OperationSchedule: Decision {
    mutating func handle(_ event: consuming Event, effects: inout [Effect]) {
        // The steps append to a stored buffer: an inout parameter would be passed through all of them, and most have no effect.
        swap(&self.effects, &effects)
        process(event)
        performSteps()
        swap(&self.effects, &effects)
    }

    private mutating func process(_ event: consuming Event) {
        switch consume event {
        case .open(let lane): open(lane)
        case .join(let flight, let request, let operationID, let demand): join(flight, request, operationID, demand)
        case .begin(let submission, let operationID, let demand, let dependencies): begin(submission, operationID, demand, dependencies)
        case .enqueue(let operationID, let lane, let share): enqueueOperation(operationID, lane, share)
        case .makeWaiter(let entry): makeWaiter(for: entry)
        case .releaseIfUnused(let waiter): releaseIfUnused(waiter)
        case .prioritize(let waiter, let share): prioritize(waiter, share)
        case .setDeadline(let waiter, let time): setDeadline(of: waiter, at: time)
        case .cancel(let waiter): steps.append(.complete(waiter, .cancelled))
        case .cancelAll: cancelAll()
        case .conditionsSatisfied(let flight): conditionsSatisfied(flight)
        case .finish(let flight, let status): finish(flight, status)
        case .retry(let flight, let time): retry(flight, at: time)
        case .stopJoining(let flight): stopJoining(flight)
        case .proceed(let flight, let waiter): proceed(flight, with: waiter)
        case .finishing(let flight): markFinishing(flight)
        case .recordTransfer(let flight, let sample): if flights.contains(flight) { lanes[flights[flight].lane].record(sample) }
        case .limitColdStart(let flight, let time): if isColdStarting(flight) { setTimer(.coldStartTimeout(flight), at: time) }
        case .pause(let scope): pause(scope)
        case .resume(let scope): resume(scope)
        case .pauseWaiter(let waiter): setPaused(true, waiter)
        case .resumeWaiter(let waiter): setPaused(false, waiter)
        case .beginDraining: beginDraining()
        case .observe(let waiter): if waiters.contains(waiter) { flights[waiters[waiter].flight].isObserved = true }
        case .fireTimers(let now): fireTimers(now)
        }
    }

    // MARK: Submission

    private mutating func join(_ flight: FlightID, _ request: FlightRequest, _ operationID: OperationID, _ demand: Demand) {
        let waiter = insertWaiter(operationID, into: flight, request, demand, isLeader: false)
        effects.append(.attach(waiter, operationID, .joined))
        if request.isObserved {
            flights[flight].isObserved = true
            transition(flight, to: flights[flight].phase)
        }
        raisePriority(of: flight, to: demand.share)
        updatePause(of: flight)
    }

    private mutating func begin(_ request: FlightRequest, _ operationID: OperationID, _ demand: Demand, _ dependencies: TinyArray<WaiterID>)
    {
        sequenceNumber += 1
        let flight = flights.insert(
            Flight(
                leader: operationID, lane: request.lane, epoch: epoch, attributes: request.attributes, phase: .waiting(dependencies.count),
                dependencies: dependencies, share: demand.share, isObserved: request.isObserved))
        lanes[flights[flight].lane].flightCount += 1
        let waiter = insertWaiter(operationID, into: flight, request, demand, isLeader: true)
        let previous = request.attributes?.key.flatMap { joinableFlights.updateValue(flight, forKey: $0) }
        effects.append(.attach(waiter, operationID, previous == nil ? .created : .createdAgain))
        for dependency in dependencies {
            waiters[dependency].dependents.append(flight)
            steps.append(.raisePriority(dependency, demand.share))
        }
        if dependencies.isEmpty {
            checkOrEnqueue(flight)
        } else if request.isObserved {
            transition(flight, to: .waiting(dependencies.count))
        }
    }

    private mutating func insertWaiter(
        _ operationID: OperationID, into flight: FlightID, _ request: FlightRequest, _ demand: Demand, isLeader: Bool
    ) -> WaiterID {
        let waiter = waiters.insert(
            Waiter(
                operationID: operationID, flight: flight, epoch: flights[flight].epoch, index: Int32(flights[flight].waiters.count),
                isLeader: isLeader, isPaused: request.isPaused, requested: demand.requested, share: demand.share))
        flights[flight].waiters.append(waiter)
        if request.isPaused { flights[flight].pausedCount += 1 }
        if let deadline = request.deadline { setTimer(.deadline(waiter), at: deadline) }
        return waiter
    }

    private mutating func enqueueOperation(_ operationID: OperationID, _ lane: LaneID, _ share: PriorityShare) {
        sequenceNumber += 1
        queuedCount += 1
        lanes[lane].flightCount += 1
        effects.append(.enqueue(QueuedEntry(operationID: operationID, lane: lane, share: share, epoch: epoch)))
        let entry = FairQueue.Entry(distance: share.priority.distance, sequenceNumber: sequenceNumber, subject: .operation(operationID))
        lanes[lane].ready[share.priority.urgency].push(entry, for: share.consumer)
        steps.append(.fill(lane))
    }

    private mutating func makeWaiter(for entry: QueuedEntry) {
        lanes[entry.lane].ready[entry.share.priority.urgency].remove(sequenceNumber: entry.epoch.sequenceNumber)
        push(makeFlight(for: entry))
    }

    private mutating func releaseIfUnused(_ waiter: WaiterID) {
        guard waiters.contains(waiter), waiters[waiter].requested == nil, !hasDependents(waiter) else { return }
        steps.append(.complete(waiter, .cancelled))
    }

    private mutating func prioritize(_ waiter: WaiterID, _ share: PriorityShare) {
        guard waiters.contains(waiter) else { return }
        let isHigher = share.priority > waiters[waiter].share.priority
        waiters[waiter].requested = share
        steps.append(isHigher ? .raisePriority(waiter, share) : .lowerPriority(waiter))
    }

    private mutating func setPaused(_ isPaused: Bool, _ waiter: WaiterID) {
        guard waiters.contains(waiter), waiters[waiter].isPaused != isPaused else { return }
        waiters[waiter].isPaused = isPaused
        flights[waiters[waiter].flight].pausedCount += isPaused ? 1 : -1
        updatePause(of: waiters[waiter].flight)
    }

    // MARK: Cancellation

    private mutating func cancelAll() {
        for flight in flights.ids where flights[flight].phase == .finishing {
            flights[flight].phase = .running
            if flights[flight].waiters.isEmpty { interrupt(flight) }
        }
        for lane in lanes.ids { makeWaiters(in: lane) }
        steps.append(contentsOf: waiters.ids.map { .complete($0, .cancelled) })
    }

    // MARK: Progress of a flight

    private mutating func conditionsSatisfied(_ flight: FlightID) {
        guard flights.contains(flight) else { return }
        switch flights[flight].phase {
        case .checking: enqueue(flight)
        case .checkInterrupted: completeFlight(flight, .cancelled)
        default: break
        }
    }

    private mutating func finish(_ flight: FlightID, _ status: CompletionStatus) {
        // A flight without waiters may have been removed, with its check.
        guard flights.contains(flight) else { return }
        guard flights[flight].phase.hasSlot else { return completeFlight(flight, status) }
        if status != .cancelled { lanes[flights[flight].lane].endColdStart() }
        releaseSlot(of: flight) { $0.completeFlight(flight, status) }
    }

    private mutating func retry(_ flight: FlightID, at time: Duration) {
        lanes[flights[flight].lane].endColdStart()
        releaseSlot(of: flight) { schedule in
            guard !schedule.flights[flight].waiters.isEmpty else { return schedule.completeFlight(flight, .cancelled) }
            schedule.transition(flight, to: .awaitingRetry)
            schedule.setTimer(.retry(flight), at: time)
        }
    }

    private mutating func proceed(_ flight: FlightID, with waiter: WaiterID) {
        releaseSlot(of: flight) { schedule in
            let hasWaiters = schedule.hasWaiters(flight)
            schedule.waiters[waiter].dependents.append(flight)
            schedule.flights[flight].dependencies = [waiter]
            schedule.transition(flight, to: .continuing)
            if !hasWaiters {
                schedule.completeFlight(flight, .cancelled)
            } else if schedule.hasDependency(waiter, on: flight) {
                schedule.completeFlight(flight, .failed)
            } else {
                schedule.steps.append(.raisePriority(waiter, schedule.flights[flight].share))
            }
        }
    }

    private mutating func markFinishing(_ flight: FlightID) {
        guard flights.contains(flight), flights[flight].phase == .running else { return }
        flights[flight].phase = .finishing
    }

    private mutating func pause(_ scope: LaneScope) {
        pausedScopes.insert(scope)
        guard isDraining else { return }
        for id in lanes.ids where scope.contains(lanes[id].lane) { steps.append(.fill(id)) }
    }

    private mutating func beginDraining() {
        isDraining = true
        for flight in flights.ids where flights[flight].phase == .paused { pauseFlight(flight) }
        for lane in lanes.ids { steps.append(.fill(lane)) }
    }

    private mutating func resume(_ scope: LaneScope) {
        pausedScopes.remove(scope)
        for id in lanes.ids where scope.contains(lanes[id].lane) { steps.append(.fill(id)) }
    }

    /// Whether a waiter depends on a flight, directly or indirectly.
    private func hasDependency(_ waiter: WaiterID, on target: FlightID) -> Bool {
        var pending = [waiter]
        var seen: Set<FlightID> = []
        while let waiter = pending.popLast() {
            guard waiters.contains(waiter), case let flight = waiters[waiter].flight, seen.insert(flight).inserted else { continue }
            if flight == target { return true }
            if flights.contains(flight) { pending += flights[flight].dependencies }
        }
        return false
    }

    // MARK: Timers

    private mutating func setDeadline(of waiter: WaiterID, at time: Duration) {
        guard waiters.contains(waiter) else { return }
        var deadline = time
        // One timer per waiter, however often it is submitted.
        timers.retain { timer in
            guard case .deadline(waiter) = timer.kind else { return true }
            deadline = min(deadline, timer.time)
            return false
        }
        setTimer(.deadline(waiter), at: deadline)
    }

    private mutating func setTimer(_ kind: TimerEntry.Kind, at time: Duration) {
        // Timers of completed waiters and flights are obsolete.
        if timers.count > 2 * (waiters.count + flights.count) + 64 { timers.retain(where: isPending) }
        sequenceNumber += 1
        timers.push(TimerEntry(time: time, sequenceNumber: sequenceNumber, kind: kind))
        requestWake()
    }

    private mutating func requestWake() {
        guard let first = timers.first, nextWakeTime.map({ first.time < $0 }) ?? true else { return }
        nextWakeTime = first.time
        effects.append(.wake(at: first.time))
    }

    private mutating func fireTimers(_ now: Duration) {
        while let timer = timers.first, timer.time <= now {
            _ = timers.popFirst()
            switch timer.kind {
            case .deadline(let waiter): steps.append(.complete(waiter, .expired))
            case .retry(let flight): if flights.contains(flight), flights[flight].phase == .awaitingRetry { enqueue(flight) }
            case .coldStartTimeout(let flight): if isColdStarting(flight) { endColdStart(of: flights[flight].lane) }
            }
        }
        nextWakeTime = nil
        requestWake()
    }

    private func isPending(_ timer: TimerEntry) -> Bool {
        switch timer.kind {
        case .deadline(let waiter): waiters.contains(waiter)
        case .retry(let flight): flights.contains(flight) && flights[flight].phase == .awaitingRetry
        case .coldStartTimeout(let flight): isColdStarting(flight)
        }
    }

    /// Whether a flight runs alone because nothing is known of its lane's link.
    private func isColdStarting(_ flight: FlightID) -> Bool {
        flights.contains(flight) && flights[flight].phase.hasSlot && lanes[flights[flight].lane].isCold
    }

    private mutating func endColdStart(of lane: LaneID) {
        lanes[lane].endColdStart()
        steps.append(.fill(lane))
    }
}
