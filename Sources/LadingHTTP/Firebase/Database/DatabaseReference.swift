import Foundation
import HTTPTypes

/// A place in a Realtime Database, and what can be done there.
///
/// ```swift
/// let order = try database.reference("orders").child(id)
/// try await order.put(["title": "Milk and bread", "placed": .serverTime] as JSONValue)
/// try await order.patch(["status": "delivered", "courier/trips": .increment(by: 1)])
/// ```
///
/// Whatever asks throws `RealtimeDatabase.Failure`, `FirebaseAuthentication.Failure`, `BackendError`, or `CancellationError`.
public struct DatabaseReference: Sendable {
    let database: RealtimeDatabase
    public let path: DatabasePath

    init(_ database: RealtimeDatabase, _ path: DatabasePath) {
        self.database = database
        self.path = path
    }

    /// The place below this one that has a key.
    ///
    /// - Parameter key: One key; a text with a slash in it is refused, so that it leads nowhere else.
    /// - Throws: `.badKey`, or `.tooDeep`.
    public func child(_ key: String) throws(RealtimeDatabase.Failure) -> DatabaseReference {
        DatabaseReference(database, try path.appending(key))
    }

    /// The place above; nil at the root.
    public var parent: DatabaseReference? { path.parent.map { DatabaseReference(database, $0) } }
}

// MARK: - Reading

extension DatabaseReference {
    /// The value; nil when there is none.
    ///
    /// - Parameter query: Which of its children are wanted; nil means all.
    public nonisolated(nonsending) func get<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, where query: DatabaseQuery? = nil
    ) async throws -> Value? {
        try decode(try await database.send(database.message(.get, path, query: query?.parameters() ?? [:])))
    }

    /// The value and the entity tag of its state, for a later `put` or `delete` on the condition that it is still so.
    public nonisolated(nonsending) func version() async throws -> DatabaseVersion {
        try version(of: try await database.send(database.message(.get, path, headers: [.firebaseETag: "true"])))
    }

    /// The keys of its children, without what is below them (`shallow`); empty when it has none.
    public nonisolated(nonsending) func keys() async throws -> Set<String> {
        let value: JSONValue? = try decode(try await database.send(database.message(.get, path, query: ["shallow": true])))
        return if case .object(let members) = value { Set(members.keys) } else { [] }
    }
}

// MARK: - Writing

extension DatabaseReference {
    /// Writes a value, in place of all that is there; null removes it.
    public nonisolated(nonsending) func put(_ value: some Encodable) async throws {
        _ = try await database.send(database.message(.put, path, query: Self.silentQuery, body: encode(value)))
    }

    /// Writes a value if what is there is in this state.
    ///
    /// - Returns: The state that it is in then; nil when the server does not tell.
    /// - Throws: `.changed` when it is in another state.
    @discardableResult
    public nonisolated(nonsending) func put(_ value: some Encodable, ifMatch tag: DatabaseVersion.Tag) async throws -> DatabaseVersion.Tag?
    {
        try await sendConditionally(database.message(.put, path, headers: [.ifMatch: tag.text], body: encode(value)))
    }

    /// Writes some children, and leaves the others as they are; all of them or none. A key may be a path below this one.
    public nonisolated(nonsending) func patch(_ children: [String: JSONValue]) async throws {
        for key in children.keys { _ = try DatabasePath(key) }
        _ = try await database.send(database.message(.patch, path, query: Self.silentQuery, body: encode(children)))
    }

    /// Adds a child under a new key, which sorts behind those that were made before. It is not to be repeated lightly: it adds another one.
    ///
    /// - Returns: The new child.
    public nonisolated(nonsending) func post(_ value: some Encodable) async throws -> DatabaseReference {
        guard let reply: PostResponse = try decode(try await database.send(database.message(.post, path, body: encode(value)))) else {
            throw RealtimeDatabase.Failure.decodingFailed(path, cause: ResponseDecodingError(missing: "name"))
        }
        return try child(reply.name)
    }

    /// Removes the value, and all that is below it.
    public nonisolated(nonsending) func delete() async throws {
        _ = try await database.send(database.message(.delete, path, query: Self.silentQuery))
    }

    /// Removes the value if it is in this state.
    ///
    /// - Throws: `.changed` when it is in another state.
    public nonisolated(nonsending) func delete(ifMatch tag: DatabaseVersion.Tag) async throws {
        _ = try await sendConditionally(database.message(.delete, path, headers: [.ifMatch: tag.text]))
    }

    /// Makes a new value of what is there, anew each time that somebody else has changed it meanwhile.
    ///
    /// - Parameters:
    ///   - attempts: How often, the first time included.
    ///   - change: Gives the new value, null to remove it; nil leaves all as it is.
    /// - Returns: What was written last, or what was left as it is.
    /// - Throws: `.changed` when somebody else was quicker each time.
    @discardableResult
    public nonisolated(nonsending) func update(
        attempts: Int = 25, _ change: (JSONValue) throws -> JSONValue?
    ) async throws -> JSONValue {
        var version = try await version()
        var attempt = 1
        while true {
            guard let new = try change(version.value) else { return version.value }
            do {
                try await put(new, ifMatch: version.tag)
                return new
            } catch RealtimeDatabase.Failure.preconditionFailed(let current) where attempt < attempts {
                (version, attempt) = (current, attempt + 1)
            }
        }
    }

    private static let silentQuery: URLQuery = ["print": "silent"]

    private func sendConditionally(_ message: RequestMessage) async throws -> DatabaseVersion.Tag? {
        let reply = try await database.send(message)
        guard reply.status != .preconditionFailed else { throw RealtimeDatabase.Failure.preconditionFailed(try version(of: reply)) }
        return tag(of: reply)
    }
}

// MARK: - On the wire

extension DatabaseReference {
    private func encode(_ value: some Encodable) throws -> RequestBody {
        .bytes(try database.encoder.encode(value))
    }

    private func decode<Value: Decodable>(_ response: BackendResponse) throws -> Value? {
        do {
            return try database.decoder.decode(Value?.self, from: Data(response.body))
        } catch let error as DecodingError {
            throw RealtimeDatabase.Failure.decodingFailed(path, cause: ResponseDecodingError(error))
        }
    }

    private func version(of response: BackendResponse) throws -> DatabaseVersion {
        guard let tag = tag(of: response) else { throw RealtimeDatabase.Failure.decodingFailed(path, cause: ResponseDecodingError(missing: "ETag")) }
        return DatabaseVersion(try decode(response) ?? .null, tag: tag)
    }

    private func tag(of response: BackendResponse) -> DatabaseVersion.Tag? { response.headers[.eTag].map { DatabaseVersion.Tag($0) } }
}

private struct PostResponse: Decodable { var name: String }

extension ResponseDecodingError {
    /// A part that a reply lacks.
    init(missing name: String) {
        self.init(.valueNotFound(String.self, DecodingError.Context(codingPath: [], debugDescription: "there is no \(name)")))
    }
}

extension JSONValue {
    /// The time at which the server writes the value, in milliseconds since 1970.
    public static let serverTime: JSONValue = [".sv": "timestamp"]

    /// What is there, and this much more; what is no number counts as zero.
    public static func increment(by count: Int) -> JSONValue { [".sv": ["increment": .integer(count)]] }
}
