/// The operations of a queue, by what its schedule calls them.
struct OperationRoster: Sendable {
    private enum Place {
        /// With what it is wanted for, if it stands in line.
        case taken(AnyOperation, Claim?)
        case free(next: UInt32)
    }

    /// The most places that are kept when nobody is left.
    private static let keptPlaces = 1_024
    /// Stands for no place.
    private static let none = UInt32.max

    private var places: [Place] = []
    private var firstFree = Self.none
    private var count = 0

    mutating func enter(_ operation: AnyOperation, standingFor claim: Claim? = nil) -> Ticket {
        count += 1
        guard firstFree != Self.none, case .free(let next) = places[Int(firstFree)] else {
            places.append(.taken(operation, claim))
            return Ticket(place: UInt32(places.count - 1))
        }
        defer { firstFree = next }
        places[Int(firstFree)] = .taken(operation, claim)
        return Ticket(place: firstFree)
    }

    /// The schedule says nothing more about an operation.
    mutating func leave(_ ticket: Ticket) {
        places[Int(ticket.place)] = .free(next: firstFree)
        firstFree = ticket.place
        count -= 1
        if count == 0, places.count > Self.keptPlaces { self = OperationRoster() }
    }

    subscript(ticket: Ticket) -> AnyOperation {
        guard case .taken(let operation, _) = places[Int(ticket.place)] else {
            preconditionFailure("the schedule said that it would not be called again")
        }
        return operation
    }

    /// How urgently one is wanted that stands in line, and for whom.
    func claim(of ticket: Ticket) -> Claim? {
        if case .taken(_, let claim) = places[Int(ticket.place)] { claim } else { nil }
    }
}
