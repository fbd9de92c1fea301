public import LadingOutbox

/// A favourite mark that was reverted because the server refused it or it expired.
public struct FavouriteRejection: Sendable {
    public enum Reason: Sendable {
        /// The server refused the write with this error.
        case refused(any Error)
        /// The write waited too long for a network or a server.
        case expired
    }

    public let id: DeliveryID
    /// Whether the refused write set the mark; false if it cleared the mark.
    public let isFavourite: Bool
    public let key: IdempotencyKey
    public let reason: Reason
}
