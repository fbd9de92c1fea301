/// One event of an event stream (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// What kind of event it is; `message` when the server does not say.
    public var type: String
    /// What it carries; several lines are joined by line feeds.
    public var data: String
    /// The last id that the stream gave, with this event or an earlier one; empty when it gave none.
    public var id: String

    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}
