/// A place in a Realtime Database: the keys that lead to it from its root.
public struct DatabasePath: Hashable, Sendable {
    /// The longest key, in bytes of UTF-8, and the most keys of a path, as the service has it.
    public static let keyLimit = 768
    public static let depthLimit = 32

    public let keys: [String]

    /// The root of the database.
    public static let root = DatabasePath(checked: [])

    private init(checked keys: [String]) {
        self.keys = keys
    }

    /// - Throws: `RealtimeDatabase.Failure.badKey`, or `.tooDeep`.
    public init(_ keys: [String]) throws(RealtimeDatabase.Failure) {
        for key in keys where !Self.isKey(key) { throw .invalidKey(key) }
        guard keys.count <= Self.depthLimit else { throw .pathTooDeep(limit: Self.depthLimit) }
        self.keys = keys
    }

    /// Keys with slashes between them; slashes at its ends mean nothing.
    ///
    /// - Throws: `RealtimeDatabase.Failure.badKey`, or `.tooDeep`.
    public init(_ text: String) throws(RealtimeDatabase.Failure) {
        try self.init(text.split(separator: "/").map(String.init))
    }

    /// The place of one key below this.
    ///
    /// - Throws: `RealtimeDatabase.Failure.badKey`, or `.tooDeep`.
    public func appending(_ key: String) throws(RealtimeDatabase.Failure) -> DatabasePath {
        try DatabasePath(keys + [key])
    }

    /// The place above it; nil for the root.
    public var parent: DatabasePath? { keys.isEmpty ? nil : DatabasePath(checked: keys.dropLast()) }

    /// Whether a text may be a key: neither empty nor too long, without `. # $ [ ] /` and control characters.
    private static func isKey(_ text: String) -> Bool {
        let isAllowed = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && !forbidden.contains($0) }
        return isAllowed && (1...keyLimit).contains(text.utf8.count)
    }

    private static let forbidden = Set(".#$[]/".unicodeScalars)

    /// As it stands in a URL: each key percent-encoded, and `.json` behind the last.
    var resource: URLPath {
        URLPath(stringLiteral: keys.map(PercentEncoding.unreserved.encode).joined(separator: "/") + ".json")
    }
}

extension DatabasePath: CustomStringConvertible {
    public var description: String { "/" + keys.joined(separator: "/") }
}
