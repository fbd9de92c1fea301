@testable import LadingOperations

/// The invariants between any two events, computed without incremental state.
extension OperationSchedule {
    func invariantViolations() -> [String] {
        var priorities = NaivePriorities(self)
        var violations: [String] = []
        for waiter in waiters.ids where waiters[waiter].share.priority != priorities.priority(of: waiter) {
            violations.append(
                "\(waiters[waiter].operationID) is \(waiters[waiter].share.priority), should be \(priorities.priority(of: waiter))")
        }
        for flight in flights.ids { violations += invariantViolations(of: flight, &priorities) }
        for lane in lanes.ids
        where lanes[lane].running != flights.ids.count(where: { flights[$0].lane == lane && flights[$0].phase.hasSlot }) {
            violations.append("\(lanes[lane].lane.name) has a wrong number of running flights")
        }
        return violations + invariantViolationsOfQueues()
    }

    private func invariantViolationsOfQueues() -> [String] {
        var violations: [String] = []
        var left = self
        var count = 0
        for lane in lanes.ids {
            let operations = left.lanes[lane].ready.removeOperations()
            count += operations.count
            for (urgency, entry, _) in operations where isOpen(lane, for: urgency) { violations.append("\(entry.subject) could run") }
        }
        if count != queuedCount { violations.append("\(count) are queued, counted as \(queuedCount)") }
        return violations
    }

    private func invariantViolations(of id: FlightID, _ priorities: inout NaivePriorities) -> [String] {
        let flight = flights[id]
        var violations: [String] = []
        if !flight.waiters.isEmpty, flight.share.priority != priorities.priority(of: id) {
            violations.append("\(flight.leader) has a wrong priority")
        }
        if flight.waiters.contains(where: { waiters[$0].flight != id }) {
            violations.append("\(flight.leader) has waiters of other flights")
        }
        let isPaused = !flight.waiters.isEmpty && flight.waiters.allSatisfy { waiters[$0].isPaused }
        switch flight.phase {
        case .paused: if !isPaused { violations.append("\(flight.leader) is paused without a paused waiter") }
        case .ready:
            if isPaused { violations.append("\(flight.leader) is ready although it is paused") }
            if canStart(id) { violations.append("\(flight.leader) could run") }
        case .excluded:
            if isPaused { violations.append("\(flight.leader) waits although it is paused") }
            if isExcludedWithoutHolder(id) { violations.append("\(flight.leader) is excluded although its group has no holder") }
        case .awaitingRetry: if nextWakeTime == nil { violations.append("\(flight.leader) awaits a retry without a timer") }
        case .interrupted, .checkInterrupted:
            if !flight.waiters.isEmpty { violations.append("\(flight.leader) is interrupted although it has waiters") }
        case .running, .checking, .waiting: if flight.waiters.isEmpty { violations.append("\(flight.leader) runs without waiters") }
        case .finishing, .continuing: break
        }
        return violations
    }

    private func canStart(_ id: FlightID) -> Bool { isOpen(flights[id].lane, for: flights[id].share.priority.urgency) }

    /// Whether a lane has a free slot for this urgency.
    private func isOpen(_ id: LaneID, for urgency: OperationPriority.Urgency) -> Bool {
        let lane = lanes[id]
        return !pausedScopes.contains { $0.contains(lane.lane) } && lane.running < lane.limits.slots(for: urgency)
    }

    /// Whether a flight is excluded although its group has neither a holder nor a ready flight in the same lane that is at least as urgent.
    private func isExcludedWithoutHolder(_ id: FlightID) -> Bool {
        guard let name = flights[id].attributes?.exclusionGroup, exclusionGroups[name]?.holder == nil else { return false }
        return !flights.ids.contains {
            flights[$0].phase == .ready && flights[$0].lane == flights[id].lane && flights[$0].attributes?.exclusionGroup == name
                && flights[$0].share.priority.urgency >= flights[id].share.priority.urgency
        }
    }
}

/// Priorities computed from scratch: a waiter's from its request and its dependents, a flight's from its waiters.
private struct NaivePriorities {
    private let schedule: OperationSchedule
    private var waiting: [WaiterID: [FlightID]] = [:]
    private var computed: [WaiterID: OperationPriority] = [:]

    init(_ schedule: OperationSchedule) {
        self.schedule = schedule
        for flight in schedule.flights.ids {
            for waiter in schedule.flights[flight].dependencies { waiting[waiter, default: []].append(flight) }
        }
    }

    mutating func priority(of waiter: WaiterID) -> OperationPriority {
        if let priority = computed[waiter] { return priority }
        var priority = schedule.waiters[waiter].requested?.priority ?? PriorityShare.minimum.priority
        for flight in waiting[waiter] ?? [] { priority = max(priority, self.priority(of: flight)) }
        computed[waiter] = priority
        return priority
    }

    mutating func priority(of flight: FlightID) -> OperationPriority {
        var priority = PriorityShare.minimum.priority
        for waiter in schedule.flights[flight].waiters { priority = max(priority, self.priority(of: waiter)) }
        return priority
    }
}
