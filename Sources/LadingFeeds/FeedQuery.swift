/// A filter and an order of the rows of a feed. Equal arrangements share what is arranged.
public protocol FeedQuery: Hashable, Sendable {
    associatedtype Row: Sendable
    /// What filtering and sorting need to know of a row; made once, when the row is loaded.
    associatedtype Fields: Sendable

    static func indexedFields(of row: Row) -> Fields

    /// The same arrangement, completed by what only all known rows together tell, such as the middle of a region.
    func resolved(with fields: some Collection<Fields>) -> Self
    /// Whether it shows the list as it came.
    var isDefault: Bool { get }
    /// Whether a row is shown.
    func matches(_ fields: Fields) -> Bool
    /// Whether a row comes before another; a strict weak order. Rows that are equal in it keep the order of the list.
    func precedes(_ fields: Fields, _ others: Fields) -> Bool
}

extension FeedQuery {
    public func resolved(with fields: some Collection<Fields>) -> Self { self }
}

/// The only arrangement of a feed that is shown as it is listed.
public struct ServerOrder<Row: Sendable>: FeedQuery {
    public static func indexedFields(of row: Row) {}

    public init() {}

    public var isDefault: Bool { true }
    public func matches(_ fields: Void) -> Bool { true }
    public func precedes(_ fields: Void, _ others: Void) -> Bool { false }
}
