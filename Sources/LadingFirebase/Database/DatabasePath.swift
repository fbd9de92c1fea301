import LadingHTTP

/// A location in a Realtime Database: the keys from the root to it.
public struct DatabasePath: Hashable, Sendable {
    /// The maximum length of a key, in UTF-8 bytes, and the maximum number of keys in a path, as defined by the service.
    package static let keyLimit = 768
    package static let depthLimit = 32

    public let keys: [String]

    /// The root of the database.
    public static let root = DatabasePath(checked: [])

    private init(checked keys: [String]) {
        self.keys = keys
    }

    /// Creates a path from its keys.
    ///
    /// - Throws: `RealtimeDatabase.Failure.invalidKey` or `.pathTooLong`.
    public init(_ keys: [String]) throws(RealtimeDatabase.Failure) {
        for key in keys where !Self.isKey(key) { throw .invalidKey(key) }
        guard keys.count <= Self.depthLimit else { throw .pathTooLong(limit: Self.depthLimit) }
        self.keys = keys
    }

    /// Creates a path from keys separated by slashes; leading and trailing slashes are ignored.
    ///
    /// - Throws: `RealtimeDatabase.Failure.invalidKey` or `.pathTooLong`.
    public init(_ text: String) throws(RealtimeDatabase.Failure) {
        try self.init(Self.keys(of: text))
    }

    /// Splits a path at its slashes, also at those before an accent, which makes a slash another character.
    package static func keys(of text: String) -> [String] { text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) } }

    /// Returns the path of a key below this one.
    ///
    /// - Throws: `RealtimeDatabase.Failure.invalidKey` or `.pathTooLong`.
    public func appending(_ key: String) throws(RealtimeDatabase.Failure) -> DatabasePath {
        try DatabasePath(keys + [key])
    }

    /// The path above; nil for the root.
    public var parent: DatabasePath? { keys.isEmpty ? nil : DatabasePath(checked: keys.dropLast()) }

    /// Whether a text is a valid key: neither empty nor too long, without `. # $ [ ] /` and control characters.
    private static func isKey(_ text: String) -> Bool {
        let isAllowed = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && !forbidden.contains($0) }
        return isAllowed && (1...keyLimit).contains(text.utf8.count)
    }

    private static let forbidden = Set(".#$[]/".unicodeScalars)

    /// The path in a URL: percent-encoded keys followed by `.json`.
    var resource: URLPath {
        URLPath(stringLiteral: keys.map(PercentEncoding.unreserved.encode).joined(separator: "/") + ".json")
    }
}

extension DatabasePath: CustomStringConvertible {
    public var description: String { "/" + keys.joined(separator: "/") }
}
