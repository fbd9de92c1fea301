/// A filter and an order of the rows of a feed. Equal arrangements share what is arranged.
public protocol FeedArrangement: Hashable, Sendable {
    associatedtype Row: Sendable
    /// What filtering and sorting need to know of a row; made once, when the row is loaded.
    associatedtype Facts: Sendable

    static func facts(of row: Row) -> Facts

    /// The same arrangement, completed by what only all known rows together tell, such as the middle of a region.
    func completed(by facts: some Collection<Facts>) -> Self
    /// Whether it shows the list as it came.
    var isPlain: Bool { get }
    /// Whether a row is shown.
    func admits(_ facts: Facts) -> Bool
    /// Whether a row comes before another; a strict weak order. Rows that are equal in it keep the order of the list.
    func precedes(_ facts: Facts, _ others: Facts) -> Bool
}

extension FeedArrangement {
    public func completed(by facts: some Collection<Facts>) -> Self { self }
}

/// The only arrangement of a feed that is shown as it is listed.
public struct AsListed<Row: Sendable>: FeedArrangement {
    public static func facts(of row: Row) {}

    public init() {}

    public var isPlain: Bool { true }
    public func admits(_ facts: Void) -> Bool { true }
    public func precedes(_ facts: Void, _ others: Void) -> Bool { false }
}
