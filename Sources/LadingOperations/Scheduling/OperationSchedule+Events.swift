extension OperationSchedule: Decision {
    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .join(let flight, let payload, let demand): join(flight, payload, demand, &effects)
        case .begin(let submission, let payload, let demand, let dependencies):
            begin(submission, payload, demand, dependencies, &effects)
        case .letGo(let wish): letGo(wish)
        case .ask(let wish, let claim): ask(wish, claim)
        case .withdraw(let wish): steps.append(.settle(wish, .cancelled))
        case .withdrawAll: withdrawAll(&effects)
        case .finish(let flight, let settlement): finish(flight, settlement)
        case .close(let flight): stopJoining(flight)
        case .proceed(let flight, let wish): proceed(flight, with: wish)
        case .nearEnd(let flight): nearEnd(flight)
        case .pause(let scope): paused.insert(scope)
        case .resume(let scope): resume(scope)
        }
        drain(&effects)
    }

    private mutating func join(_ flight: FlightID, _ payload: Payload, _ demand: Demand, _ effects: inout [Effect]) {
        let wish = insertWish(payload, into: flight, demand)
        effects.append(.enlist(wish, payload, joined: true))
        updateClaim(of: flight)
    }

    private mutating func begin(
        _ submission: Submission, _ payload: Payload, _ demand: Demand, _ dependencies: [WishID], _ effects: inout [Effect]
    ) {
        arrivals += 1
        let flight = flights.insert(
            Flight(
                lane: submission.lane, key: submission.key, mark: mark, runsAnyway: submission.runsAnyway, work: payload,
                phase: .waiting(dependencies.count), wishes: [], dependencies: dependencies, claim: demand.claim))
        let wish = insertWish(payload, into: flight, demand)
        effects.append(.enlist(wish, payload, joined: false))
        if let key = submission.key { joinable[key] = flight }
        for dependency in dependencies {
            wishes[dependency].dependents.append(flight)
            steps.append(.reclaim(dependency))
        }
        if dependencies.isEmpty { makeReady(flight) }
    }

    private mutating func letGo(_ wish: WishID) {
        guard wishes.contains(wish), wishes[wish].asked == nil, wishes[wish].dependents.isEmpty else { return }
        steps.append(.settle(wish, .cancelled))
    }

    private mutating func ask(_ wish: WishID, _ claim: Claim) {
        guard wishes.contains(wish) else { return }
        wishes[wish].asked = claim
        steps.append(.reclaim(wish))
    }

    private mutating func withdrawAll(_ effects: inout [Effect]) {
        for flight in flights.ids where flights[flight].phase == .landing {
            flights[flight].phase = .running
            if flights[flight].wishes.isEmpty { interrupt(flight, &effects) }
        }
        steps.append(contentsOf: wishes.ids.map { .settle($0, .cancelled) })
    }

    private mutating func finish(_ flight: FlightID, _ settlement: Settlement) {
        let lane = freeSlot(of: flight)
        conclude(flight, settlement)
        steps.append(.refill(lane))
    }

    private mutating func proceed(_ flight: FlightID, with wish: WishID) {
        let lane = freeSlot(of: flight)
        let isWanted = flights[flight].phase != .interrupted
        wishes[wish].dependents.append(flight)
        flights[flight].dependencies = [wish]
        flights[flight].phase = .continuing
        if !isWanted {
            conclude(flight, .cancelled)
        } else if waits(wish, for: flight) {
            conclude(flight, .failed)
        } else {
            steps.append(.reclaim(wish))
        }
        steps.append(.refill(lane))
    }

    private mutating func nearEnd(_ flight: FlightID) {
        guard flights.contains(flight), flights[flight].phase == .running else { return }
        flights[flight].phase = .landing
    }

    private mutating func resume(_ scope: LaneScope) {
        paused.remove(scope)
        steps.append(contentsOf: lanes.keys.filter(scope.contains).map { .refill($0) })
    }

    private mutating func insertWish(_ payload: Payload, into flight: FlightID, _ demand: Demand) -> WishID {
        let wish = wishes.insert(Wish(payload: payload, flight: flight, asked: demand.asked, claim: demand.claim))
        flights[flight].wishes.append(wish)
        return wish
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
}
