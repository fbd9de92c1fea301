extension OperationSchedule {
    /// The operations whose end waits for that of a flight: its own, and those of all flights that depend on it.
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

    /// Whether the flight of a wish, or each that it still waits for, is so near its end that it goes on whoever wants it.
    func isNearlyComplete(_ waiter: WaiterID) -> Bool {
        guard waiters.contains(waiter), flights.contains(waiters[waiter].flight) else { return false }
        let flight = waiters[waiter].flight
        switch flights[flight].phase {
        case .nearlyComplete: return true
        case .waiting, .continuing:
            let left = flights[flight].dependencies.filter { waiters.contains($0) }
            return !left.isEmpty && left.allSatisfy { isNearlyComplete($0) }
        default: return false
        }
    }
}
