extension OperationSchedule {
    /// The flight that a submission may join.
    func flight(joinableBy submission: Submission) -> FlightID? {
        guard let key = submission.key, let flight = joinable[key] else { return nil }
        if let notBefore = submission.notBefore, flights[flight].mark <= notBefore { return nil }
        return flight
    }

    /// A new wish joins a flight.
    mutating func join(
        _ flight: FlightID, payload: Payload, asked: OperationPriority?, effects: inout [Effect]
    ) -> WishID {
        let wish = insertWish(payload, into: flight, asked: asked)
        updatePriority(of: flight)
        drain(&effects)
        return wish
    }

    /// A new wish begins a flight of its own, after those it depends on.
    mutating func begin(
        _ submission: Submission, payload: Payload, asked: OperationPriority?, dependencies: [WishID],
        effects: inout [Effect]
    ) -> WishID {
        arrivals += 1
        let flight = flights.insert(
            Flight(
                lane: submission.lane, key: submission.key, mark: mark, runsAnyway: submission.runsAnyway, work: payload,
                phase: .waiting(dependencies.count), wishes: [], dependencies: dependencies,
                priority: asked ?? .background))
        let wish = insertWish(payload, into: flight, asked: asked)
        if let key = submission.key { joinable[key] = flight }
        for dependency in dependencies {
            wishes[dependency].dependents.append(flight)
            steps.append(.reprioritize(dependency))
        }
        if dependencies.isEmpty { makeReady(flight) }
        drain(&effects)
        return wish
    }

    /// Somebody asks for a wish, or asks with another priority.
    mutating func ask(_ wish: WishID, _ priority: OperationPriority, effects: inout [Effect]) {
        guard wishes.contains(wish) else { return }
        wishes[wish].asked = priority
        steps.append(.reprioritize(wish))
        drain(&effects)
    }

    /// A wish is withdrawn; what depends on it is cancelled with it.
    mutating func withdraw(_ wish: WishID, effects: inout [Effect]) {
        steps.append(.settle(wish, .cancelled))
        drain(&effects)
    }

    /// Every wish is withdrawn.
    mutating func withdrawAll(effects: inout [Effect]) {
        steps.append(contentsOf: wishes.ids.map { .settle($0, .cancelled) })
        drain(&effects)
    }

    /// The work of a running flight ended.
    mutating func finish(_ flight: FlightID, _ settlement: Settlement, effects: inout [Effect]) {
        let lane = freeSlot(of: flight)
        conclude(flight, settlement)
        steps.append(.refill(lane))
        drain(&effects)
    }

    /// The work of a running flight ended by naming another wish: the end of that one will be the flight's.
    mutating func finish(_ flight: FlightID, continuingWith wish: WishID, effects: inout [Effect]) {
        let lane = freeSlot(of: flight)
        wishes[wish].dependents.append(flight)
        flights[flight].dependencies = [wish]
        if flights[flight].phase == .interrupted {
            conclude(flight, .cancelled)
        } else {
            flights[flight].phase = .continuing
            steps.append(.reprioritize(wish))
        }
        steps.append(.refill(lane))
        drain(&effects)
    }

    private mutating func insertWish(_ payload: Payload, into flight: FlightID, asked: OperationPriority?) -> WishID {
        let wish = wishes.insert(Wish(payload: payload, flight: flight, asked: asked, priority: asked ?? .background))
        flights[flight].wishes.append(wish)
        return wish
    }
}
