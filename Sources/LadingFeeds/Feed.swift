public import LadingOperations

/// A list of remote rows: operations that fetch the list and that load each row.
public protocol Feed: Sendable {
    /// An entry of the list: the identity and location of a row that is not loaded yet.
    associatedtype Reference: Identifiable & Sendable where Reference.ID: Sendable
    associatedtype Row: Sendable
    /// The type of a fetched list: an array, or a `FetchedList` with the number of rows that it omits.
    associatedtype List: FetchedListConvertible, Sendable = [Reference] where List.Reference == Reference
    /// The type that filters and sorts the rows; by default the server's order.
    associatedtype Query: FeedQuery = ServerOrder<Row> where Query.Row == Row

    /// Returns an operation that fetches all references in order.
    func list() -> BackendOperation<List>
    /// Returns an operation that loads one row with all its dependencies.
    func load(_ reference: Reference) -> BackendOperation<Row>
}
