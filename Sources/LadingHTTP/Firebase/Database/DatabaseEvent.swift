/// What happens at a place of the database, as a stream of events tells it.
///
/// ```swift
/// var orders = JSONValue.null
/// for try await event in reference.events() { orders.apply(event) }
/// ```
///
/// A stream begins with a `put` of all that is there, and so it does when it broke and was opened again.
public enum DatabaseEvent: Hashable, Sendable {
    /// All that was at a path, counted from the place of the stream, is replaced with this.
    case put([String], JSONValue)
    /// The children named are replaced with these; others stay as they are. A name may be a path.
    case patch([String], [String: JSONValue])
    /// Nothing has happened, and the stream is alive.
    case keepAlive
    /// The stream broke, or its token is no longer good. It is opened again by itself; until the next `put` what is known may be old.
    case interrupted
}

extension DatabaseEvent {
    /// What an event of the stream says.
    enum Signal: Equatable {
        case event(DatabaseEvent)
        /// The rules no longer let the place be read.
        case cancel
        case authRevoked(String)
        /// One of a kind that is not known.
        case other

        /// - Throws: What is wrong with its data, such as a path with more keys than a path can have.
        init(_ event: ServerSentEvent) throws {
            switch event.type {
            case "put":
                let (path, data) = try Self.change(event)
                self = .event(.put(path, data))
            case "patch":
                let (path, data) = try Self.change(event)
                guard case .object(let children) = data else { throw ResponseDecodingError(missing: "object of children") }
                for key in children.keys { try Self.checkDepth(path.count + Self.keys(of: key).count) }
                self = .event(.patch(path, children))
            case "keep-alive": self = .event(.keepAlive)
            case "cancel": self = .cancel
            case "auth_revoked": self = .authRevoked((try? JSONValue(json: event.data.utf8).string) ?? "auth_revoked")
            default: self = .other
            }
        }

        private static func change(_ event: ServerSentEvent) throws -> ([String], JSONValue) {
            let change = try JSONValue(json: event.data.utf8)
            guard let path = change["path"]?.string, let data = change["data"] else { throw ResponseDecodingError(missing: "path or data") }
            let keys = Self.keys(of: path)
            try checkDepth(keys.count)
            return (keys, data)
        }

        private static func keys(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

        private static func checkDepth(_ depth: Int) throws {
            guard depth <= DatabasePath.depthLimit else { throw RealtimeDatabase.Failure.pathTooDeep(limit: DatabasePath.depthLimit) }
        }
    }
}
