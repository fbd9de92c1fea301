/// What a schedule calls an operation.
struct OperationID: Hashable, Sendable {
    /// Where the caller keeps the operation.
    let index: UInt32
}
