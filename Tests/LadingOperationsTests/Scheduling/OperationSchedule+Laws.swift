@testable import LadingOperations

/// What holds between any two events, found out from scratch.
extension OperationSchedule {
    func brokenLaws() -> [String] {
        var claims = NaiveClaims(self)
        var broken: [String] = []
        for wish in wishes.ids where wishes[wish].claim.priority != claims.priority(of: wish) {
            broken.append("\(wishes[wish].ticket) is \(wishes[wish].claim.priority), should be \(claims.priority(of: wish))")
        }
        for flight in flights.ids { broken += brokenLaws(of: flight, &claims) }
        for lane in lanes.ids
        where lanes[lane].running != flights.ids.count(where: { flights[$0].lane == lane && flights[$0].phase.isUnderway }) {
            broken.append("\(lanes[lane].lane.name) counts what runs wrongly")
        }
        return broken + brokenLawsOfLines()
    }

    private func brokenLawsOfLines() -> [String] {
        var broken: [String] = []
        var left = self
        var count = 0
        for lane in lanes.ids {
            let operations = left.lanes[lane].ready.takeOperations()
            count += operations.count
            for (urgency, entry, _) in operations where isOpen(lane, for: urgency) { broken.append("\(entry.subject) could run") }
        }
        if count != standing { broken.append("\(count) stand in line, counted as \(standing)") }
        return broken
    }

    private func brokenLaws(of id: FlightID, _ claims: inout NaiveClaims) -> [String] {
        let flight = flights[id]
        var broken: [String] = []
        if !flight.wishes.isEmpty, flight.claim.priority != claims.priority(of: id) { broken.append("\(flight.work) has a wrong claim") }
        if flight.wishes.contains(where: { wishes[$0].flight != id }) { broken.append("\(flight.work) has wishes of others") }
        let isHeld = !flight.wishes.isEmpty && flight.wishes.allSatisfy { wishes[$0].isPaused }
        switch flight.phase {
        case .held: if !isHeld { broken.append("\(flight.work) is held by nobody") }
        case .ready:
            if isHeld { broken.append("\(flight.work) is in line although it is held") }
            if canStart(id) { broken.append("\(flight.work) could run") }
        case .excluded:
            if isHeld { broken.append("\(flight.work) waits although it is held") }
            if isExcludedByNobody(id) { broken.append("\(flight.work) is excluded by nobody") }
        case .resting: if nextAlarm == nil { broken.append("\(flight.work) rests for ever") }
        case .interrupted, .abandoned: if !flight.wishes.isEmpty { broken.append("\(flight.work) is wanted and interrupted") }
        case .running, .checking, .waiting: if flight.wishes.isEmpty { broken.append("\(flight.work) is wanted by nobody") }
        case .landing, .continuing: break
        }
        return broken
    }

    private func canStart(_ id: FlightID) -> Bool { isOpen(flights[id].lane, for: flights[id].claim.priority.urgency) }

    /// Whether a lane has a slot for something of this urgency.
    private func isOpen(_ id: LaneID, for urgency: OperationPriority.Urgency) -> Bool {
        let lane = lanes[id]
        return !paused.contains { $0.contains(lane.lane) } && lane.running < lane.limits.slots(for: urgency)
    }

    /// Whether none of its exclusion runs, and none is first in line in its own lane.
    private func isExcludedByNobody(_ id: FlightID) -> Bool {
        guard let name = flights[id].traits?.exclusion, exclusions[name]?.holder == nil else { return false }
        return !flights.ids.contains {
            flights[$0].phase == .ready && flights[$0].lane == flights[id].lane && flights[$0].traits?.exclusion == name
        }
    }
}

/// How urgent everything is: a wish as the most urgent of what was asked and of all flights that wait for it, a flight as its most urgent wish.
private struct NaiveClaims {
    private let schedule: OperationSchedule
    private var waiting: [WishID: [FlightID]] = [:]
    private var known: [WishID: OperationPriority] = [:]

    init(_ schedule: OperationSchedule) {
        self.schedule = schedule
        for flight in schedule.flights.ids {
            for wish in schedule.flights[flight].dependencies { waiting[wish, default: []].append(flight) }
        }
    }

    mutating func priority(of wish: WishID) -> OperationPriority {
        if let priority = known[wish] { return priority }
        var priority = schedule.wishes[wish].asked?.priority ?? Claim.leastUrgent.priority
        for flight in waiting[wish] ?? [] { priority = max(priority, self.priority(of: flight)) }
        known[wish] = priority
        return priority
    }

    mutating func priority(of flight: FlightID) -> OperationPriority {
        var priority = Claim.leastUrgent.priority
        for wish in schedule.flights[flight].wishes { priority = max(priority, self.priority(of: wish)) }
        return priority
    }
}
