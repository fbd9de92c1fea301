/// The id of an operation in a schedule.
struct OperationID: Hashable, Sendable {
    /// The index in the caller's `OperationTable`.
    let index: UInt32
}
