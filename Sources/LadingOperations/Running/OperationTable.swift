/// The operations of a queue, by what its schedule calls them.
struct OperationTable: Sendable {
    private enum Slot {
        /// With what it is wanted for, if it stands in line.
        case occupied(AnyOperation, PriorityShare?)
        case free(next: UInt32)
    }

    /// The most places that are kept when nobody is left.
    private static let retainedCapacity = 1_024
    /// Stands for no place.
    private static let none = UInt32.max

    private var slots: [Slot] = []
    private var firstFree = Self.none
    private var count = 0

    mutating func insert(_ operation: AnyOperation, queuedWith claim: PriorityShare? = nil) -> OperationID {
        count += 1
        guard firstFree != Self.none, case .free(let next) = slots[Int(firstFree)] else {
            slots.append(.occupied(operation, claim))
            return OperationID(index: UInt32(slots.count - 1))
        }
        defer { firstFree = next }
        slots[Int(firstFree)] = .occupied(operation, claim)
        return OperationID(index: firstFree)
    }

    /// The schedule says nothing more about an operation.
    mutating func remove(_ operationID: OperationID) {
        slots[Int(operationID.index)] = .free(next: firstFree)
        firstFree = operationID.index
        count -= 1
        if count == 0, slots.count > Self.retainedCapacity { self = OperationTable() }
    }

    subscript(ticket: OperationID) -> AnyOperation {
        guard case .occupied(let operation, _) = slots[Int(ticket.index)] else {
            preconditionFailure("the schedule said that it would not be called again")
        }
        return operation
    }

    /// How urgently one is wanted that stands in line, and for whom.
    func share(of operationID: OperationID) -> PriorityShare? {
        if case .occupied(_, let share) = slots[Int(operationID.index)] { share } else { nil }
    }
}
