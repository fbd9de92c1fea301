public import LadingOperations

/// How to list the references of remote rows, and how to load the row of one reference.
public protocol Feed: Sendable {
    /// What the list tells about a row before it is loaded: its identity and where it is.
    associatedtype Reference: Identifiable & Sendable where Reference.ID: Sendable
    associatedtype Row: Sendable
    /// How the rows can be filtered and sorted; left out by feeds that are shown as they are listed.
    associatedtype Query: FeedQuery = ServerOrder<Row> where Query.Row == Row

    /// An operation that lists all references in order.
    func list() -> BackendOperation<[Reference]>
    /// An operation that loads one row, with everything it depends on.
    func load(_ reference: Reference) -> BackendOperation<Row>
}
