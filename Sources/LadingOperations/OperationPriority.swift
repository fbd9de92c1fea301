/// How soon an operation should run: its urgency first, then how near it lies to the middle of the viewport.
public struct OperationPriority: Hashable, Sendable {
    /// Why somebody wants the result, most urgent last.
    public enum Urgency: UInt8, Comparable, Sendable {
        /// Nobody looks at it, nobody is about to.
        case background
        /// It is about to come into view.
        case prefetch
        /// It is on the screen, or a person waits for it.
        case visible

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var urgency: Urgency
    /// Distance from the middle of the viewport in rows; 0 is nearest.
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
    /// Less means later: lower urgency, or farther away inside the same urgency.
    public static func < (left: Self, right: Self) -> Bool {
        if left.urgency != right.urgency { return left.urgency < right.urgency }
        return left.distance > right.distance
    }
}
