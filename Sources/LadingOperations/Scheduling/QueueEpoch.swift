/// A token that prevents coalescing with work that started earlier.
public struct QueueEpoch: Comparable, Sendable {
    let sequenceNumber: UInt64

    public static func < (left: Self, right: Self) -> Bool { left.sequenceNumber < right.sequenceNumber }
}
