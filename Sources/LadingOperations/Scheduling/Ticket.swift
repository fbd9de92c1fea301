/// What a schedule calls an operation.
struct Ticket: Hashable, Sendable {
    /// Where the caller keeps the operation.
    let place: UInt32
}
