public import LadingHTTP

/// A change at a location of the database, as reported by an event stream.
///
/// ```swift
/// var orders = JSONValue.null
/// for try await event in reference.events() { orders.apply(event) }
/// ```
///
/// A stream starts with a `put` of the whole value, also after it was interrupted and reopened.
public enum DatabaseEvent: Hashable, Sendable {
    /// Replaces the value at a path, which is relative to the location of the stream.
    case put([String], JSONValue)
    /// Replaces the named children and preserves the others. A name may be a path.
    case patch([String], [String: JSONValue])
    /// Reports no change: the connection is alive.
    case keepAlive
    /// Reports that the stream was interrupted or its token revoked. It is reopened automatically; known values may be outdated until the next `put`.
    case interrupted
}

extension DatabaseEvent {
    /// The decoded meaning of a server-sent event.
    enum Signal: Equatable {
        case event(DatabaseEvent)
        /// The server ended the stream, for this reason, if it sent one.
        case cancel(String?)
        case authRevoked(String)
        /// An event of unknown type.
        case other

        /// - Throws: The reason why the data is invalid, such as a path with more keys than permitted.
        init(_ event: ServerSentEvent) throws {
            switch event.type {
            case "put":
                let (path, data) = try Self.change(event)
                self = .event(.put(path, data))
            case "patch":
                let (path, data) = try Self.change(event)
                guard case .object(let children) = data else { throw ResponseDecodingError(missing: "object of children") }
                for key in children.keys { try Self.checkDepth(path.count + DatabasePath.keys(of: key).count) }
                self = .event(.patch(path, children))
            case "keep-alive": self = .event(.keepAlive)
            case "cancel": self = .cancel(Self.reason(in: event))
            case "auth_revoked": self = .authRevoked(Self.reason(in: event) ?? "auth_revoked")
            default: self = .other
            }
        }

        /// Returns the reason in the data of an event; nil when the data are not a string.
        private static func reason(in event: ServerSentEvent) -> String? {
            (try? JSONValue(json: event.data.utf8).string).map { String($0.prefix(FirebaseErrorBody.messageLimit)) }
        }

        private static func change(_ event: ServerSentEvent) throws -> ([String], JSONValue) {
            let change = try JSONValue(json: event.data.utf8)
            guard let path = change["path"]?.string, let data = change["data"] else { throw ResponseDecodingError(missing: "path or data") }
            let keys = DatabasePath.keys(of: path)
            try checkDepth(keys.count)
            return (keys, data)
        }

        private static func checkDepth(_ depth: Int) throws {
            guard depth <= DatabasePath.depthLimit else { throw RealtimeDatabase.Failure.pathTooLong(limit: DatabasePath.depthLimit) }
        }
    }
}
