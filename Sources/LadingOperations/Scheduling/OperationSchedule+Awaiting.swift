extension OperationSchedule {
    /// Returns the operations that a flight completes: its own, and those of all flights that depend on it.
    func operationsAwaiting(_ flight: FlightID) -> [OperationID] {
        var (pending, seen): ([FlightID], Set<FlightID>) = ([flight], [])
        var operations: [OperationID] = []
        while let flight = pending.popLast() {
            guard flights.contains(flight), seen.insert(flight).inserted else { continue }
            for waiter in flights[flight].waiters {
                operations.append(waiters[waiter].operationID)
                pending += waiters[waiter].dependents
            }
        }
        return operations
    }

    /// Whether the flight of a waiter, or each of its pending dependencies, completes even if no waiter is left.
    func isFinishing(_ waiter: WaiterID) -> Bool {
        guard waiters.contains(waiter), flights.contains(waiters[waiter].flight) else { return false }
        let flight = waiters[waiter].flight
        switch flights[flight].phase {
        case .finishing: return true
        case .waiting, .continuing:
            let pending = flights[flight].dependencies.filter { waiters.contains($0) }
            return !pending.isEmpty && pending.allSatisfy { isFinishing($0) }
        default: return false
        }
    }
}
