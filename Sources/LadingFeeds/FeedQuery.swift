/// A filter and an order of the rows of a feed. Equal queries share their results.
public protocol FeedQuery: Hashable, Sendable {
    associatedtype Row: Sendable
    /// The values of a row that filtering and sorting need; extracted once, when the row is loaded.
    associatedtype Fields: Sendable

    static func indexedFields(of row: Row) -> Fields

    /// Returns the query completed with values derived from all known rows, such as the center of a region.
    func resolved(with fields: some Collection<Fields>) -> Self
    /// Whether the query shows the server order, without a filter.
    var isDefault: Bool { get }
    /// Whether a row is shown.
    func matches(_ fields: Fields) -> Bool
    /// Whether a row precedes another, as a strict weak order. Equal rows have the order of the list.
    func isOrderedBefore(_ fields: Fields, _ others: Fields) -> Bool
}

extension FeedQuery {
    public func resolved(with fields: some Collection<Fields>) -> Self { self }
}

/// The query of a feed that is neither filtered nor sorted.
public struct ServerOrder<Row: Sendable>: FeedQuery {
    public static func indexedFields(of row: Row) {}

    package init() {}

    public var isDefault: Bool { true }
    public func matches(_ fields: Void) -> Bool { true }
    public func isOrderedBefore(_ fields: Void, _ others: Void) -> Bool { false }
}
