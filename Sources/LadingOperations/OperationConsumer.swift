/// The consumer of results, such as a screen; the slots of a lane are shared fairly among consumers.
///
/// Operations that are submitted without a consumer count as those of `.none`.
public struct OperationConsumer: Hashable, Sendable {
    /// The number of the consumer in its queue, starting at 1.
    let number: UInt32

    /// The consumer of work that no screen waits for.
    public static let none = OperationConsumer(number: 0)
}

extension OperationConsumer: CustomStringConvertible {
    public var description: String { self == .none ? "no consumer" : "consumer \(number)" }
}

/// The priority of an operation and the consumer that it runs for.
struct PriorityShare: Hashable, Sendable {
    var priority: OperationPriority
    var consumer: OperationConsumer

    /// The share of a waiter without consumer or dependents, lower than any that can be requested.
    static let minimum = PriorityShare(priority: OperationPriority(.background, distance: .max), consumer: .none)

    /// Returns the share with the higher priority; this one when both are equal.
    func raised(to other: PriorityShare) -> PriorityShare {
        other.priority > priority ? other : self
    }
}
