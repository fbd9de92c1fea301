import FileAccess
public import Foundation
public import LadingCaching

/// A persistent blob store in a directory: short bodies are in a SQLite file, others in their own files.
///
/// ```swift
/// let store = try SQLiteBlobStore(in: directory.appending(path: "photos"), byteLimit: 500 << 20)
/// let writer = try await store.write(BlobKey(group: url), metadata: [])
/// ```
///
/// A body is stored completely or not at all, even if the process is killed. Damaged bodies are detected by checksums, block by block, and removed.
/// Writes are not synced: a power cut may lose the last ones. A directory has one owner at a time, which the program ensures: the store takes no lock,
/// and opening it removes incomplete bodies.
///
/// An index that is damaged or was written by a later release is quarantined under another name, where it replaces an earlier one. The store is then
/// empty, and `quarantinedFile` reports the reason.
///
/// Functions throw `BlobStoreError`; `SQLiteStoreError` when the index cannot be read or written, or a damaged one cannot be replaced; a
/// `POSIXError` when a body cannot be read or written.
public final class SQLiteBlobStore: BlobStore {
    /// The maximum length of a body in the database, in bytes; longer ones are faster in files.
    package static let inlineLimit = 32 << 10

    private let storage: BlobStorage
    private let threads = FileThreadPool()

    /// Opens or creates a directory.
    ///
    /// It blocks the thread until the index is opened and loaded, and the files of the directory are listed, which takes longer the more bodies there
    /// are. Call it off the main actor.
    ///
    /// - Parameter byteLimit: The maximum size of all bodies with keys and metadata, in bytes; each body may use a quarter. Unfinished writes do not
    ///   count.
    /// - Throws: `SQLiteStoreError`.
    public convenience init(in directory: URL, byteLimit: Int) throws {
        try self.init(in: directory, byteLimit: byteLimit, inlineLimit: Self.inlineLimit)
    }

    /// Opens a store with another inline limit, for benchmarks.
    ///
    /// - Parameter inlineLimit: The maximum length of a body in the database, at most one block.
    package init(in directory: URL, byteLimit: Int, inlineLimit: Int) throws {
        storage = try SQLiteStoreError.converting { try BlobStorage(in: directory, byteLimit: byteLimit, inlineLimit: inlineLimit) }
    }

    /// Whether the disk was full when the store was opened: bodies are readable, and none are added until there is room.
    package var isDiskFull: Bool { storage.index.isDiskFull }

    /// The index that was last quarantined, with the reason; nil if none was.
    public var quarantinedFile: QuarantinedFile? { storage.quarantinedFile }

    /// Saves the accesses and closes the store, which must not be used afterwards.
    ///
    /// It blocks the thread while the log is written to the index, and the whole index, which contains the short bodies, is read for its checksum.
    /// - Throws: `SQLiteStoreError` when SQLite cannot close the index.
    public func close() throws { try storage.close() }

    public nonisolated(nonsending) func blobs(in group: String) async throws -> [Blob] {
        try await storage.run(on: threads) { try $0.blobs(in: group) }
    }

    public nonisolated(nonsending) func open(_ blob: Blob) async throws -> (any BlobReader)? {
        try await storage.run(on: threads) { [threads] in try $0.reader(of: blob, on: threads) }
    }

    public nonisolated(nonsending) func write(_ key: BlobKey, metadata: [UInt8]) async throws -> any BlobWriter {
        SQLiteBlobWriter(key, metadata: metadata, to: storage, on: threads)
    }

    public nonisolated(nonsending) func setMetadata(_ metadata: [UInt8], of blob: Blob) async throws -> Blob? {
        try await storage.run(on: threads) { try $0.setMetadata(metadata, of: blob) }
    }

    public nonisolated(nonsending) func remove(_ blob: Blob) async throws {
        try await storage.run(on: threads) { try $0.remove(blob) }
    }

    public nonisolated(nonsending) func removeAll(in group: String) async throws {
        try await storage.run(on: threads) { try $0.removeAll(in: group) }
    }

    public nonisolated(nonsending) func removeAll() async throws {
        try await storage.run(on: threads) { try $0.removeAll() }
    }

    public nonisolated(nonsending) func usage() async throws -> BlobUsage { storage.usage }

    /// Limits the number of pages of the index, to test a full disk.
    package func limitPages(to: Int) throws { try storage.limitPages(to: to) }
}
