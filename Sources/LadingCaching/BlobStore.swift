/// Keeps bodies of any length by name beyond the process, bounded by their bytes.
///
/// - A body is there whole or not at all, however the process ends; it becomes visible when its writer has finished, and replaces the one before in that moment.
/// - A body that is damaged counts as not there: it is removed, and never handed over.
/// - Whoever reads goes on reading what was opened, also when it is replaced or removed meanwhile.
/// - When the bound is passed, what is worth least goes: what was just written does not, and what is used often stays.
/// - A body that takes more than a fixed share of the bound is refused while it is written.
///
/// What a cache loses is fetched again: a store may forget anything, and confirms nothing against a loss of power.
/// `BlobStoreConformance` in LadingTesting checks this.
///
/// ```swift
/// let writer = try await store.write(BlobKey(group: "https://example.org/pear.jpg"), note: [])
/// try await writer.append(bytes)
/// let blob = try await writer.finish(note: nil)
/// let start = try await store.open(blob)?.read(from: 0, count: 1_024)
/// ```
public protocol BlobStore: Sendable {
    /// What is kept in a group, what was finished last first.
    nonisolated(nonsending) func blobs(in group: String) async throws -> [Blob]

    /// Opens a body to be read, and counts as a use of it; nil when it is not there any more, or was replaced since.
    nonisolated(nonsending) func open(_ blob: Blob) async throws -> (any BlobReader)?

    /// Begins a body, which replaces the one of that key when it is finished.
    nonisolated(nonsending) func write(_ key: BlobKey, metadata: [UInt8]) async throws -> any BlobWriter

    /// Replaces the note of a body, whose version stays. Gives the blob as it is now, and nil when it is not there any more, or was replaced since.
    nonisolated(nonsending) func setMetadata(_ metadata: [UInt8], of blob: Blob) async throws -> Blob?

    /// Removes one body, unless it was replaced since.
    nonisolated(nonsending) func remove(_ blob: Blob) async throws

    /// Removes all bodies of a group.
    nonisolated(nonsending) func removeAll(in group: String) async throws

    /// Removes all bodies of all groups.
    nonisolated(nonsending) func removeAll() async throws

    /// How many bodies are kept, and how many bytes they take with their notes and names.
    nonisolated(nonsending) func usage() async throws -> BlobUsage
}

/// The name of a body: what it is kept for, and which of several it is.
public struct BlobKey: Hashable, Sendable {
    /// What bodies have in common that are looked up and removed together, for instance a URL.
    public var group: String
    /// Tells the bodies of a group apart.
    public var name: String

    public init(group: String, name: String = "") {
        self.group = group
        self.name = name
    }
}

/// What is known of a kept body without reading it.
public struct Blob: Hashable, Sendable {
    public let key: BlobKey
    /// Tells the bodies apart that were kept under one key, one after the other.
    public let version: Int64
    /// What its writer wanted to know of it, for instance header fields.
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

/// Reads a kept body.
public protocol BlobReader: Sendable {
    /// Bytes of the body from an offset on, at most so many; none behind its end.
    ///
    /// - Throws: `BlobStoreError.damaged` when it is not what was written.
    nonisolated(nonsending) func read(from offset: Int, count: Int) async throws -> [UInt8]
}

/// Takes a body piece by piece, from one task at a time. One that is let go of before it has finished leaves nothing behind.
public protocol BlobWriter: Sendable {
    /// - Throws: `BlobStoreError.tooLong`, `.noRoom`; nothing of the body is left then.
    nonisolated(nonsending) func append(_ bytes: [UInt8]) async throws

    /// Makes the body visible. Nothing can be asked of the writer any more.
    ///
    /// - Parameter note: Replaces the note that was given at the beginning.
    /// - Throws: `BlobStoreError.tooLong`, `.noRoom`; nothing of the body is left then.
    nonisolated(nonsending) func finish(metadata: [UInt8]?) async throws -> Blob

    /// Leaves nothing of the body behind; what was kept under the key stays.
    nonisolated(nonsending) func discard() async
}

/// What a store holds.
public struct BlobUsage: Hashable, Sendable {
    public var count: Int
    public var bytes: Int

    public init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }
}

/// Why a store of bodies did not do what it was asked for.
public enum BlobStoreError: Error, Hashable, Sendable {
    /// The body is not what was written.
    case damaged(BlobKey)
    /// The body is longer than the store keeps, in bytes.
    case tooLong(BlobKey, limit: Int)
    /// The disk is full.
    case noRoom(BlobKey)
    /// The writer has finished or was abandoned before, also by an error.
    case writerEnded(BlobKey)
}
