/// Somebody for whom operations run, such as a screen; the slots of a lane are shared fairly among viewers.
///
/// Operations that are submitted for no viewer count as those of one, `.nobody`.
public struct OperationViewer: Hashable, Sendable {
    /// Counts the viewers of one queue from 1.
    let number: UInt32

    /// The viewer of work that no screen waits for.
    public static let nobody = OperationViewer(number: 0)
}

extension OperationViewer: CustomStringConvertible {
    public var description: String { self == .nobody ? "nobody" : "viewer \(number)" }
}

/// How urgently something is wanted, and for whom.
struct Claim: Hashable, Sendable {
    var priority: OperationPriority
    var viewer: OperationViewer

    /// What a wish has that nobody asks for: below everything that can be asked for.
    static let leastUrgent = Claim(priority: OperationPriority(.background, distance: .max), viewer: .nobody)

    /// The more urgent of two; this one when they are equally urgent.
    func orMoreUrgent(_ other: Claim) -> Claim {
        other.priority > priority ? other : self
    }
}
