public import LadingOperations

/// How to list the references of remote rows, and how to load the row of one reference.
public protocol Feed: Sendable {
    /// What the list tells about a row before it is loaded: its identity and where it is.
    associatedtype Reference: Identifiable & Sendable where Reference.ID: Sendable
    associatedtype Row: Sendable

    /// An operation that lists all references in order.
    func list() -> BackendOperation<[Reference]>
    /// An operation that loads one row, with everything it depends on.
    func load(_ reference: Reference) -> BackendOperation<Row>
}
