/// The priority of an operation: its urgency, then its distance from the middle of the viewport.
public struct OperationPriority: Hashable, Sendable {
    /// The purpose of an operation, in increasing order of urgency.
    public enum Urgency: UInt8, Comparable, Sendable {
        /// The result is not visible and not expected to become visible.
        case background
        /// The result is expected to become visible.
        case prefetch
        /// The result is visible, or a person waits for it.
        case visible

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var urgency: Urgency
    /// The distance from the middle of the viewport in rows; 0 is nearest.
    public var distance: Int

    public init(_ urgency: Urgency, distance: Int = 0) {
        self.urgency = urgency
        self.distance = distance
    }

    public static let visible = OperationPriority(.visible)
    public static let prefetch = OperationPriority(.prefetch)
    public static let background = OperationPriority(.background)
}

extension OperationPriority: Comparable {
    /// Orders by urgency, then by decreasing distance.
    public static func < (left: Self, right: Self) -> Bool {
        if left.urgency != right.urgency { return left.urgency < right.urgency }
        return left.distance > right.distance
    }
}
