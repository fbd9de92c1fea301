extension OperationSchedule: Decision {
    mutating func handle(_ event: consuming Event, effects: inout [Effect]) {
        // Worked on in place: an inout parameter through every step would be passed for nothing by most of them.
        swap(&self.effects, &effects)
        take(event)
        drain()
        swap(&self.effects, &effects)
    }

    private mutating func take(_ event: consuming Event) {
        switch consume event {
        case .open(let lane): open(lane)
        case .join(let flight, let submission, let ticket, let demand): join(flight, submission, ticket, demand)
        case .begin(let submission, let ticket, let demand, let dependencies): begin(submission, ticket, demand, dependencies)
        case .stand(let ticket, let lane, let claim): stand(ticket, lane, claim)
        case .call(let place): call(place)
        case .letGo(let wish): letGo(wish)
        case .ask(let wish, let claim): ask(wish, claim)
        case .withdraw(let wish): steps.append(.settle(wish, .cancelled))
        case .withdrawAll: withdrawAll()
        case .met(let flight): met(flight)
        case .finish(let flight, let settlement): finish(flight, settlement)
        case .rest(let flight, let time): rest(flight, until: time)
        case .close(let flight): stopJoining(flight)
        case .proceed(let flight, let wish): proceed(flight, with: wish)
        case .nearEnd(let flight): nearEnd(flight)
        case .gauge(let flight, let transfer): if flights.contains(flight) { lanes[flights[flight].lane].note(transfer) }
        case .limitColdStart(let flight, let time): if startsCold(flight) { setAlarm(.outlasted(flight), at: time) }
        case .pause(let scope): pause(scope)
        case .resume(let scope): resume(scope)
        case .hold(let wish): setPaused(true, wish)
        case .free(let wish): setPaused(false, wish)
        case .windUp: windUp()
        case .watch(let wish): if wishes.contains(wish) { flights[wishes[wish].flight].isWatched = true }
        case .ring(let now): ring(now)
        }
    }

    // MARK: Coming in

    private mutating func join(_ flight: FlightID, _ submission: Submission, _ ticket: Ticket, _ demand: Demand) {
        let wish = insertWish(ticket, into: flight, submission, demand, isLeader: false)
        effects.append(.enlist(wish, ticket, .joined))
        if submission.isWatched {
            flights[flight].isWatched = true
            turn(flight, to: flights[flight].phase)
        }
        raiseClaim(of: flight, to: demand.claim)
        reviewHold(of: flight)
    }

    private mutating func begin(_ submission: Submission, _ ticket: Ticket, _ demand: Demand, _ dependencies: ShortList<WishID>) {
        arrivals += 1
        let flight = flights.insert(
            Flight(
                work: ticket, lane: submission.lane, mark: mark, traits: submission.traits, phase: .waiting(dependencies.count),
                dependencies: dependencies, claim: demand.claim, isWatched: submission.isWatched))
        lanes[flights[flight].lane].flightCount += 1
        let wish = insertWish(ticket, into: flight, submission, demand, isLeader: true)
        let former = submission.traits?.key.flatMap { joinable.updateValue(flight, forKey: $0) }
        effects.append(.enlist(wish, ticket, former == nil || submission.notBefore == nil ? .began : .renewed))
        for dependency in dependencies {
            wishes[dependency].dependents.append(flight)
            steps.append(.raise(dependency, demand.claim))
        }
        if dependencies.isEmpty { checkOrLineUp(flight) } else if submission.isWatched { turn(flight, to: .waiting(dependencies.count)) }
    }

    private mutating func insertWish(
        _ ticket: Ticket, into flight: FlightID, _ submission: Submission, _ demand: Demand, isLeader: Bool
    ) -> WishID {
        let wish = wishes.insert(
            Wish(
                ticket: ticket, flight: flight, mark: flights[flight].mark, place: Int32(flights[flight].wishes.count),
                isLeader: isLeader, isPaused: submission.isPaused, asked: demand.asked, claim: demand.claim))
        flights[flight].wishes.append(wish)
        if submission.isPaused { flights[flight].pausedCount += 1 }
        if let deadline = submission.deadline { setAlarm(.expired(wish), at: deadline) }
        return wish
    }

    private mutating func stand(_ ticket: Ticket, _ lane: LaneID, _ claim: Claim) {
        arrivals += 1
        standing += 1
        lanes[lane].flightCount += 1
        effects.append(.stand(PlaceInLine(ticket: ticket, lane: lane, claim: claim, mark: mark)))
        let entry = FairQueue.Entry(distance: claim.priority.distance, arrival: arrivals, subject: .operation(ticket))
        lanes[lane].ready[claim.priority.urgency].push(entry, for: claim.viewer)
        steps.append(.refill(lane))
    }

    private mutating func call(_ place: PlaceInLine) {
        lanes[place.lane].ready[place.claim.priority.urgency].call(arrivedAt: place.mark.arrivals)
        push(makeFlight(of: place))
    }

    private mutating func letGo(_ wish: WishID) {
        guard wishes.contains(wish), wishes[wish].asked == nil, !hasDependents(wish) else { return }
        steps.append(.settle(wish, .cancelled))
    }

    private mutating func ask(_ wish: WishID, _ claim: Claim) {
        guard wishes.contains(wish) else { return }
        let isMore = claim.priority > wishes[wish].claim.priority
        wishes[wish].asked = claim
        steps.append(isMore ? .raise(wish, claim) : .reclaim(wish))
    }

    private mutating func setPaused(_ isPaused: Bool, _ wish: WishID) {
        guard wishes.contains(wish), wishes[wish].isPaused != isPaused else { return }
        wishes[wish].isPaused = isPaused
        flights[wishes[wish].flight].pausedCount += isPaused ? 1 : -1
        reviewHold(of: wishes[wish].flight)
    }

    // MARK: Going out

    private mutating func withdrawAll() {
        for flight in flights.ids where flights[flight].phase == .landing {
            flights[flight].phase = .running
            if flights[flight].wishes.isEmpty { interrupt(flight) }
        }
        for lane in lanes.ids { callAll(in: lane) }
        steps.append(contentsOf: wishes.ids.map { .settle($0, .cancelled) })
    }

    // MARK: On the way

    private mutating func met(_ flight: FlightID) {
        guard flights.contains(flight) else { return }
        switch flights[flight].phase {
        case .checking: lineUp(flight)
        case .abandoned: conclude(flight, .cancelled)
        default: break
        }
    }

    private mutating func finish(_ flight: FlightID, _ settlement: Settlement) {
        // What nobody waited for any more is gone, and its check with it.
        guard flights.contains(flight) else { return }
        guard flights[flight].phase.isUnderway else { return conclude(flight, settlement) }
        if settlement != .cancelled { lanes[flights[flight].lane].endColdStart() }
        leaveSlot(of: flight) { $0.conclude(flight, settlement) }
    }

    private mutating func rest(_ flight: FlightID, until time: Duration) {
        lanes[flights[flight].lane].endColdStart()
        leaveSlot(of: flight) { schedule in
            guard !schedule.flights[flight].wishes.isEmpty else { return schedule.conclude(flight, .cancelled) }
            schedule.turn(flight, to: .resting)
            schedule.setAlarm(.rested(flight), at: time)
        }
    }

    private mutating func proceed(_ flight: FlightID, with wish: WishID) {
        leaveSlot(of: flight) { schedule in
            let isWanted = schedule.isWanted(flight)
            schedule.wishes[wish].dependents.append(flight)
            schedule.flights[flight].dependencies = [wish]
            schedule.turn(flight, to: .continuing)
            if !isWanted {
                schedule.conclude(flight, .cancelled)
            } else if schedule.waits(wish, for: flight) {
                schedule.conclude(flight, .failed)
            } else {
                schedule.steps.append(.raise(wish, schedule.flights[flight].claim))
            }
        }
    }

    private mutating func nearEnd(_ flight: FlightID) {
        guard flights.contains(flight), flights[flight].phase == .running else { return }
        flights[flight].phase = .landing
    }

    private mutating func pause(_ scope: LaneScope) {
        paused.insert(scope)
        guard isWindingUp else { return }
        for id in lanes.ids where scope.contains(lanes[id].lane) { steps.append(.refill(id)) }
    }

    private mutating func windUp() {
        isWindingUp = true
        for flight in flights.ids where flights[flight].phase == .held { hold(flight) }
        for lane in lanes.ids { steps.append(.refill(lane)) }
    }

    private mutating func resume(_ scope: LaneScope) {
        paused.remove(scope)
        for id in lanes.ids where scope.contains(lanes[id].lane) { steps.append(.refill(id)) }
    }

    /// Whether a wish will have its end only after a flight has.
    private func waits(_ wish: WishID, for target: FlightID) -> Bool {
        var pending = [wish]
        var seen: Set<FlightID> = []
        while let wish = pending.popLast() {
            guard wishes.contains(wish), case let flight = wishes[wish].flight, seen.insert(flight).inserted else { continue }
            if flight == target { return true }
            if flights.contains(flight) { pending += flights[flight].dependencies }
        }
        return false
    }

    // MARK: Time

    private mutating func setAlarm(_ subject: Alarm.Subject, at time: Duration) {
        // Those that ended in time have no need of their alarms any more.
        if alarms.count > 2 * (wishes.count + flights.count) + 64 { alarms.keep(isAwaited) }
        arrivals += 1
        alarms.push(Alarm(time: time, number: arrivals, subject: subject))
        askForAlarm()
    }

    private mutating func askForAlarm() {
        guard let first = alarms.first, nextAlarm.map({ first.time < $0 }) ?? true else { return }
        nextAlarm = first.time
        effects.append(.wake(at: first.time))
    }

    private mutating func ring(_ now: Duration) {
        while let alarm = alarms.first, alarm.time <= now {
            _ = alarms.popFirst()
            switch alarm.subject {
            case .expired(let wish): steps.append(.settle(wish, .expired))
            case .rested(let flight): if flights.contains(flight), flights[flight].phase == .resting { lineUp(flight) }
            case .outlasted(let flight): if startsCold(flight) { endColdStart(of: flights[flight].lane) }
            }
        }
        nextAlarm = nil
        askForAlarm()
    }

    private func isAwaited(_ alarm: Alarm) -> Bool {
        switch alarm.subject {
        case .expired(let wish): wishes.contains(wish)
        case .rested(let flight): flights.contains(flight) && flights[flight].phase == .resting
        case .outlasted(let flight): startsCold(flight)
        }
    }

    /// Whether a flight runs alone in its lane because nothing is known of the line.
    private func startsCold(_ flight: FlightID) -> Bool {
        flights.contains(flight) && flights[flight].phase.isUnderway && lanes[flights[flight].lane].isCold
    }

    private mutating func endColdStart(of lane: LaneID) {
        lanes[lane].endColdStart()
        steps.append(.refill(lane))
    }
}
