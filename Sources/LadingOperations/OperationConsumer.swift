/// Somebody for whom operations run, such as a screen; the slots of a lane are shared fairly among viewers.
///
/// Operations that are submitted for no viewer count as those of one, `.nobody`.
public struct OperationConsumer: Hashable, Sendable {
    /// Counts the viewers of one queue from 1.
    let number: UInt32

    /// The viewer of work that no screen waits for.
    public static let none = OperationConsumer(number: 0)
}

extension OperationConsumer: CustomStringConvertible {
    public var description: String { self == .none ? "nobody" : "viewer \(number)" }
}

/// How urgently something is wanted, and for whom.
struct PriorityShare: Hashable, Sendable {
    var priority: OperationPriority
    var consumer: OperationConsumer

    /// What a wish has that nobody asks for: below everything that can be asked for.
    static let lowest = PriorityShare(priority: OperationPriority(.background, distance: .max), consumer: .none)

    /// The more urgent of two; this one when they are equally urgent.
    func raised(to other: PriorityShare) -> PriorityShare {
        other.priority > priority ? other : self
    }
}
