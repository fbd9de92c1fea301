/// The key of an object with the prefix of the store, at most 1,024 bytes.
///
/// Its names between slashes are neither empty nor `.` nor `..`, because servers and proxies change such paths.
///
/// Source: Amazon S3, User Guide, "Naming Amazon S3 objects".
struct ObjectKey: Hashable, Sendable {
    /// The maximum length with the prefix, in bytes.
    private static let lengthLimit = 1_024

    let text: String

    /// - Throws: `ObjectStoreError.invalidKey`.
    init(_ key: String, in address: ObjectStoreAddress) throws(ObjectStoreError) {
        text = address.prefix + key
        guard Self.isValid(key), text.utf8.count <= Self.lengthLimit else { throw .invalidKey }
    }

    /// Whether a text is valid as a key or as the beginning of one.
    static func isValid(_ text: String) -> Bool {
        text.utf8.count <= lengthLimit && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !["", ".", ".."].contains($0) }
    }
}
