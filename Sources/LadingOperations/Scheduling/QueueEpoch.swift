/// A moment in the life of a queue, by which a waiter says that it joins no flight that began before.
public struct QueueEpoch: Comparable, Sendable {
    let sequenceNumber: UInt64

    public static func < (left: Self, right: Self) -> Bool { left.sequenceNumber < right.sequenceNumber }
}
