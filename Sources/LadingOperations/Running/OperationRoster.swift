/// The operations of a queue, by what its schedule calls them.
struct OperationRoster: Sendable {
    /// The most places that are kept when nobody is left.
    private static let keptPlaces = 1_024

    private var operations: [AnyOperation?] = []
    private var free: [UInt32] = []

    mutating func enter(_ operation: AnyOperation) -> Ticket {
        guard let place = free.popLast() else {
            operations.append(operation)
            return Ticket(place: UInt32(operations.count - 1))
        }
        operations[Int(place)] = operation
        return Ticket(place: place)
    }

    /// The schedule says nothing more about an operation.
    mutating func leave(_ ticket: Ticket) {
        operations[Int(ticket.place)] = nil
        free.append(ticket.place)
        if free.count == operations.count, free.count > Self.keptPlaces { self = OperationRoster() }
    }

    subscript(ticket: Ticket) -> AnyOperation {
        guard let operation = operations[Int(ticket.place)] else {
            preconditionFailure("the schedule said that it would not be called again")
        }
        return operation
    }
}
