import Foundation
import HTTPTypes
public import LadingHTTP

/// A location in a Realtime Database and the operations on it.
///
/// ```swift
/// let order = try database.reference("orders").child(id)
/// try await order.put(["title": "Milk and bread", "placed": .serverTime] as JSONValue)
/// try await order.patch(["status": "delivered", "courier/trips": .increment(by: 1)])
/// ```
///
/// Requests throw `RealtimeDatabase.Failure`, `FirebaseAuthentication.Failure`, `BackendError`, or `CancellationError`.
public struct DatabaseReference: Sendable {
    let database: RealtimeDatabase
    public let path: DatabasePath

    init(_ database: RealtimeDatabase, _ path: DatabasePath) {
        self.database = database
        self.path = path
    }

    /// Returns the location of a key below this one.
    ///
    /// - Parameter key: One key. A text with a slash is rejected, so that it cannot lead to another location.
    /// - Throws: `.invalidKey` or `.pathTooLong`.
    public func child(_ key: String) throws(RealtimeDatabase.Failure) -> DatabaseReference {
        DatabaseReference(database, try path.appending(key))
    }

    /// The location above; nil at the root.
    public var parent: DatabaseReference? { path.parent.map { DatabaseReference(database, $0) } }
}

// MARK: - Reading

extension DatabaseReference {
    /// Returns the value; nil when there is none.
    ///
    /// - Parameter query: The children to return; nil for all.
    public nonisolated(nonsending) func get<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, where query: DatabaseQuery? = nil
    ) async throws -> Value? {
        try decode(try await database.send(database.message(.get, path, query: query?.parameters() ?? [:])))
    }

    /// Returns the value and its entity tag, for a later conditional `put` or `delete`.
    public nonisolated(nonsending) func version() async throws -> DatabaseVersion {
        try version(of: try await database.send(database.message(.get, path, headers: [.firebaseETag: "true"])))
    }

    /// Returns the keys of the children without their values (`shallow`); empty when there are none.
    public nonisolated(nonsending) func keys() async throws -> Set<String> {
        let value: JSONValue? = try decode(try await database.send(database.message(.get, path, query: ["shallow": true])))
        return Set((value?.members ?? [:]).keys)
    }
}

// MARK: - Writing

extension DatabaseReference {
    /// Replaces the whole value; null removes it.
    public nonisolated(nonsending) func put(_ value: some Encodable) async throws {
        _ = try await database.send(database.message(.put, path, query: Self.silentQuery, body: encode(value)))
    }

    /// Replaces the value if it has this entity tag.
    ///
    /// - Returns: The new entity tag; nil when the server sends none.
    /// - Throws: `.preconditionFailed` when the value has another entity tag.
    @discardableResult
    public nonisolated(nonsending) func put(_ value: some Encodable, ifMatch tag: DatabaseVersion.Tag) async throws -> DatabaseVersion.Tag?
    {
        try await sendIfMatched(database.message(.put, path, headers: [.ifMatch: tag.text], body: encode(value)))
    }

    /// Replaces some children atomically and preserves the others. A key may be a path below this location.
    ///
    /// - Throws: `.invalidKey` or `.pathTooLong` for a key, and `.refused` when one path leads below another.
    public nonisolated(nonsending) func patch(_ children: [String: JSONValue]) async throws {
        for key in children.keys {
            // An empty path would replace the whole value.
            guard try !DatabasePath(key).keys.isEmpty else { throw RealtimeDatabase.Failure.invalidKey(key) }
        }
        _ = try await database.send(database.message(.patch, path, query: Self.silentQuery, body: encode(children)))
    }

    /// Adds a child under a new key, which sorts after earlier ones. The request is not idempotent: repeating it adds another child.
    ///
    /// - Returns: The location of the new child.
    public nonisolated(nonsending) func post(_ value: some Encodable) async throws -> DatabaseReference {
        guard let response: PostResponse = try decode(try await database.send(database.message(.post, path, body: encode(value)))) else {
            throw RealtimeDatabase.Failure.decodingFailed(path, cause: ResponseDecodingError(missing: "name"))
        }
        return try child(response.name)
    }

    /// Removes the value and everything below it.
    public nonisolated(nonsending) func delete() async throws {
        _ = try await database.send(database.message(.delete, path, query: Self.silentQuery))
    }

    /// Removes the value if it has this entity tag.
    ///
    /// - Throws: `.preconditionFailed` when the value has another entity tag.
    public nonisolated(nonsending) func delete(ifMatch tag: DatabaseVersion.Tag) async throws {
        _ = try await sendIfMatched(database.message(.delete, path, headers: [.ifMatch: tag.text]))
    }

    /// Replaces the value with one computed from it, and repeats this when another client has changed the value meanwhile.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts, including the first.
    ///   - change: Returns the new value, null to remove it, or nil for no change.
    /// - Returns: The written or the unchanged value.
    /// - Throws: `.preconditionFailed` when another client changed the value during each attempt.
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

    private func sendIfMatched(_ message: RequestMessage) async throws -> DatabaseVersion.Tag? {
        let response = try await database.send(message)
        guard response.status != .preconditionFailed else { throw RealtimeDatabase.Failure.preconditionFailed(try version(of: response)) }
        return tag(of: response)
    }
}

// MARK: - Wire format

extension DatabaseReference {
    private func encode(_ value: some Encodable) throws -> RequestBody {
        .bytes(try database.encoder.encode(value))
    }

    private func decode<Value: Decodable>(_ response: BackendResponse) throws -> Value? {
        do {
            return try value(in: response.body)
        } catch let error as DecodingError {
            throw RealtimeDatabase.Failure.decodingFailed(path, cause: ResponseDecodingError(error))
        }
    }

    /// Decodes a document. The database sends an object as an array when its keys are mostly the integers from 0 on.
    private func value<Value: Decodable>(in document: [UInt8]) throws -> Value? {
        do {
            return try database.decoder.decode(Value?.self, from: Data(document))
        } catch DecodingError.typeMismatch(let type, let context) where context.codingPath.isEmpty {
            guard let array = try? JSONValue(json: document), case .array = array else { throw DecodingError.typeMismatch(type, context) }
            return try JSONValue.object(array.members).decode(Value.self, decoder: database.decoder)
        }
    }

    private func version(of response: BackendResponse) throws -> DatabaseVersion {
        guard let tag = tag(of: response) else {
            throw RealtimeDatabase.Failure.decodingFailed(path, cause: ResponseDecodingError(missing: "ETag"))
        }
        return DatabaseVersion(try decode(response) ?? .null, tag: tag)
    }

    private func tag(of response: BackendResponse) -> DatabaseVersion.Tag? { response.headers[.eTag].map { DatabaseVersion.Tag($0) } }
}

private struct PostResponse: Decodable { var name: String }

extension ResponseDecodingError {
    /// Creates the error for a missing part of a response.
    init(missing name: String) {
        self.init(.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "\(name) is missing")))
    }
}

extension JSONValue {
    /// A placeholder that the server replaces with its time, in milliseconds since 1970.
    public static let serverTime: JSONValue = [".sv": "timestamp"]

    /// Returns a placeholder that the server replaces with the current value plus `count`; a value that is not a number counts as zero.
    public static func increment(by count: Int) -> JSONValue { [".sv": ["increment": .integer(count)]] }
}
