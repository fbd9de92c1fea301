public import Foundation
import TextComparison

/// A persistent store of byte bodies of any length, limited by their total size.
///
/// - A body is complete or absent, however the process ends. It becomes visible when its writer finishes, and atomically replaces the
///   previous one.
/// - A damaged body counts as absent: it is removed, and never returned.
/// - A reader continues to read the body that it opened, even if that is replaced or removed meanwhile.
/// - When the limit is exceeded, the least valuable bodies are evicted: never the one just written, and rarely those in frequent use.
/// - A body that exceeds the maximum length, a fixed share of the limit, is refused while it is written.
///
/// A store is a cache: it may evict any body, and does not guarantee durability against power loss. Each function throws the errors of its
/// storage; a change on a full disk throws `BlobStoreError.noRoom`. `BlobStoreConformance` in LadingConformance checks these requirements.
///
/// ```swift
/// let writer = try await store.write(BlobKey(group: "https://example.org/pear.jpg"), metadata: [])
/// try await writer.append(bytes)
/// let blob = try await writer.finish(metadata: nil)
/// let start = try await store.open(blob)?.read(from: 0, count: 1_024)
/// ```
public protocol BlobStore: Sendable {
    /// Returns the bodies of a group, most recently finished first.
    nonisolated(nonsending) func blobs(in group: String) async throws -> [Blob]

    /// Opens a body for reading, which counts as a use. Returns nil when it has been removed or replaced.
    nonisolated(nonsending) func open(_ blob: Blob) async throws -> (any BlobReader)?

    /// Begins a body, which replaces that of its key when it is finished. Any number of writers may be open, also for one key.
    nonisolated(nonsending) func write(_ key: BlobKey, metadata: [UInt8]) async throws -> any BlobWriter

    /// Replaces the metadata of a body without changing its version. Returns the updated blob; nil when it has been removed or replaced.
    ///
    /// - Throws: `BlobStoreError.tooLong` when the body with the metadata exceeds the maximum length.
    nonisolated(nonsending) func setMetadata(_ metadata: [UInt8], of blob: Blob) async throws -> Blob?

    /// Removes a body, unless it has been replaced.
    nonisolated(nonsending) func remove(_ blob: Blob) async throws

    /// Removes all bodies of a group.
    nonisolated(nonsending) func removeAll(in group: String) async throws

    /// Removes all bodies of all groups.
    nonisolated(nonsending) func removeAll() async throws

    /// Returns the number of bodies, and their total size with metadata and keys, in bytes.
    nonisolated(nonsending) func usage() async throws -> BlobUsage
}

/// The key of a body: a group and a name within it.
public struct BlobKey: Hashable, Sendable {
    /// The name of bodies that are looked up and removed together, for instance a URL.
    public var group: String
    /// The name of the body within its group.
    public var name: String

    public init(group: String, name: String = "") {
        self.group = group
        self.name = name
    }

    /// Whether the bytes are equal, as in a database: URLs that Unicode regards as equivalent may have different content.
    public static func == (one: BlobKey, other: BlobKey) -> Bool {
        one.group.hasSameBytes(as: other.group) && one.name.hasSameBytes(as: other.name)
    }
}

/// The description of a stored body.
public struct Blob: Hashable, Sendable {
    public let key: BlobKey
    /// The version, which distinguishes successive bodies of one key.
    public let version: Int64
    /// The metadata of the writer, for instance header fields.
    public let metadata: [UInt8]
    /// The length of the body in bytes.
    public let length: Int

    public init(key: BlobKey, version: Int64, metadata: [UInt8], length: Int) {
        self.key = key
        self.version = version
        self.metadata = metadata
        self.length = length
    }
}

/// A reader of a stored body.
public protocol BlobReader: Sendable {
    /// Returns up to `count` bytes from an offset: fewer only at the end of the body, and none beyond it.
    ///
    /// - Throws: `BlobStoreError.corrupt` when the bytes are not those that were written, and errors of the storage.
    nonisolated(nonsending) func read(from offset: Int, count: Int) async throws -> [UInt8]
}

/// A writer that receives a body in parts, from one task at a time. Releasing it before it has finished discards the body.
public protocol BlobWriter: Sendable {
    /// Appends bytes to the body.
    ///
    /// - Throws: `BlobStoreError.tooLong`, `.noRoom`, which discard the body; `.writerEnded` afterwards.
    nonisolated(nonsending) func append(_ bytes: [UInt8]) async throws

    /// Finishes the body and makes it visible. The writer must not be used afterwards.
    ///
    /// - Parameter metadata: A replacement for the initial metadata.
    /// - Throws: `BlobStoreError.tooLong`, `.noRoom`, which discard the body; `.writerEnded` afterwards.
    nonisolated(nonsending) func finish(metadata: [UInt8]?) async throws -> Blob

    /// Discards the body. The stored body of the key does not change.
    nonisolated(nonsending) func discard() async
}

/// The number and the total size of the bodies in a store.
public struct BlobUsage: Hashable, Sendable {
    public var count: Int
    /// The total size of bodies, metadata and keys.
    public var bytes: Int

    public init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }
}

/// An error of a blob store.
public enum BlobStoreError: Error, Hashable, Sendable {
    /// The bytes of the body are not those that were written.
    case corrupt(BlobKey)
    /// The body exceeds the maximum length, in bytes.
    case tooLong(BlobKey, limit: Int)
    /// The disk is full.
    case noRoom(BlobKey)
    /// The writer has finished, or was discarded by the caller or after an error.
    case writerEnded(BlobKey)
}

extension BlobStoreError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    /// A description in one line, without the key, which may be a URL with secrets.
    public var description: String {
        switch self {
        case .corrupt: "a stored body is damaged and was removed: load it again"
        case .tooLong(_, let limit): "the body exceeds the limit of \(limit.formatted(.byteCount(style: .memory))) for a body"
        case .noRoom: "the disk is full and the body cannot be stored: free up space"
        case .writerEnded: "the writer has already finished or failed: write the body with another writer"
        }
    }
}
