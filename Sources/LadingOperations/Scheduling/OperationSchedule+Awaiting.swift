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

    /// Whether the flight of a wish, or each that it still waits for, is so near its end that it goes on whoever wants it.
    func isNearEnd(_ wish: WishID) -> Bool {
        guard wishes.contains(wish), flights.contains(wishes[wish].flight) else { return false }
        let flight = wishes[wish].flight
        switch flights[flight].phase {
        case .landing: return true
        case .waiting, .continuing:
            let left = flights[flight].dependencies.filter { wishes.contains($0) }
            return !left.isEmpty && left.allSatisfy { isNearEnd($0) }
        default: return false
        }
    }
}
