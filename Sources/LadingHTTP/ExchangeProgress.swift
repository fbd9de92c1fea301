/// How far an exchange has come; everything in bytes.
public struct ExchangeProgress: Hashable, Sendable {
    /// How much of the message's body was sent; it begins anew when the message is sent again.
    public var sent = 0
    /// How much there is to send; nil when that is known only at the end.
    public var toSend: Int?
    /// How much of the reply's body has arrived, after content codings were undone.
    public var received = 0
    /// How much will arrive; nil before the head of the reply, and when the server does not tell.
    public var toReceive: Int?

    public init() {}
}
