public import LadingHTTP

/// A favourite mark that was undone, because the server does not take it.
public struct FavouriteRefusal: Sendable {
    public enum Reason: Sendable {
        /// What the server said.
        case refused(any Error)
        /// It waited too long for a network or a server.
        case expired
    }

    public let id: DeliveryID
    /// What was wanted.
    public let isFavourite: Bool
    public let key: IdempotencyKey
    public let reason: Reason
}
