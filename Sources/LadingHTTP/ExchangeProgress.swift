/// The progress of an exchange, in bytes.
public struct ExchangeProgress: Hashable, Sendable {
    /// The sent bytes of the message body; the count restarts when the message is sent again.
    public var sent = 0
    /// The length of the message body; nil when it is known only at the end.
    public var toSend: Int?
    /// The received bytes of the response body, after content codings are decoded.
    public var received = 0
    /// The length of the response body; nil before the head, and when the server does not announce it.
    public var toReceive: Int?

    public init() {}
}
