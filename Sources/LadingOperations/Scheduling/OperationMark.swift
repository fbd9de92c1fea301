/// A moment in the life of a queue, by which a waiter says that it joins no flight that began before.
public struct OperationMark: Comparable, Sendable {
    let arrivals: UInt64

    public static func < (left: Self, right: Self) -> Bool { left.arrivals < right.arrivals }
}
