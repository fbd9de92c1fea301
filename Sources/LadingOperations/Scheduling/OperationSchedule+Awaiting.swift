extension OperationSchedule {
    /// The operations whose end waits for that of a flight: its own, and those of all flights that depend on it.
    func operationsAwaiting(_ flight: FlightID) -> [Ticket] {
        var (pending, seen): ([FlightID], Set<FlightID>) = ([flight], [])
        var operations: [Ticket] = []
        while let flight = pending.popLast() {
            guard flights.contains(flight), seen.insert(flight).inserted else { continue }
            for wish in flights[flight].wishes {
                operations.append(wishes[wish].ticket)
                pending += wishes[wish].dependents
            }
        }
        return operations
    }
}
