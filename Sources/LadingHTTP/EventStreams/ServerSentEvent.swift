/// One event of an event stream (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The type of the event; `message` when the server sends none.
    public var type: String
    /// The payload, whose lines are joined by line feeds.
    public var data: String
    /// The last id in the stream, of this event or an earlier one; empty when there was none.
    public var id: String

    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}
