extension OperationSchedule {
    /// The operations whose end waits for that of a flight: its own, and those of all flights that depend on it.
    func operationsAwaiting(_ flight: FlightID) -> [Payload] {
        var (pending, seen): ([FlightID], Set<FlightID>) = ([flight], [])
        var operations: [Payload] = []
        while let flight = pending.popLast() {
            guard flights.contains(flight), seen.insert(flight).inserted else { continue }
            for wish in flights[flight].wishes {
                operations.append(wishes[wish].payload)
                pending += wishes[wish].dependents
            }
        }
        return operations
    }
}
