/// The operations of a queue by id.
struct OperationTable: Sendable {
    private enum Slot {
        /// The priority share is that of a queued operation, and nil for a waiter.
        case occupied(AnyOperation, PriorityShare?)
        case free(next: UInt32)
    }

    /// The maximum number of free slots that are retained when the table is empty.
    private static let retainedCapacity = 1_024
    /// The index that ends the list of free slots.
    private static let none = UInt32.max

    private var slots: [Slot] = []
    private var firstFree = Self.none
    private var count = 0

    mutating func insert(_ operation: AnyOperation, queuedWith share: PriorityShare? = nil) -> OperationID {
        count += 1
        guard firstFree != Self.none, case .free(let next) = slots[Int(firstFree)] else {
            slots.append(.occupied(operation, share))
            return OperationID(index: UInt32(slots.count - 1))
        }
        defer { firstFree = next }
        slots[Int(firstFree)] = .occupied(operation, share)
        return OperationID(index: firstFree)
    }

    /// Removes and returns an operation that the schedule has released.
    mutating func remove(_ operationID: OperationID) -> AnyOperation {
        let operation = self[operationID]
        slots[Int(operationID.index)] = .free(next: firstFree)
        firstFree = operationID.index
        count -= 1
        if count == 0, slots.count > Self.retainedCapacity { self = OperationTable() }
        return operation
    }

    subscript(operationID: OperationID) -> AnyOperation {
        guard case .occupied(let operation, _) = slots[Int(operationID.index)] else {
            preconditionFailure("the operation was already released")
        }
        return operation
    }

    /// Returns the priority share of a queued operation; nil for a waiter.
    func share(of operationID: OperationID) -> PriorityShare? {
        if case .occupied(_, let share) = slots[Int(operationID.index)] { share } else { nil }
    }
}
