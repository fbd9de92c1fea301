/// A list of references as a feed fetches it, with the number of rows that it omits.
///
/// A feed whose lists omit no rows fetches arrays instead.
public struct FetchedList<Reference> {
    /// The references in order.
    public var references: [Reference]
    /// The number of rows that the list omits, such as unreadable ones.
    public var omittedCount: Int

    /// Creates a list.
    public init(_ references: [Reference], omittedCount: Int = 0) {
        (self.references, self.omittedCount) = (references, omittedCount)
    }
}

/// A type of lists that a feed can fetch: an array of references or a `FetchedList`.
public protocol FetchedListConvertible {
    associatedtype Reference

    /// The list with the number of rows that it omits.
    var fetchedList: FetchedList<Reference> { get }
}

extension FetchedList: Sendable where Reference: Sendable {}

extension FetchedList: FetchedListConvertible {
    public var fetchedList: FetchedList { self }
}

extension Array: FetchedListConvertible {
    public var fetchedList: FetchedList<Element> { FetchedList(self) }
}
