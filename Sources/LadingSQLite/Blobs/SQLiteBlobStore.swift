public import Foundation
public import LadingCaching
import LadingHTTP

/// A store of bodies in a directory: short ones in a SQLite file, others in files of their own; it outlives the process.
///
/// ```swift
/// let store = try SQLiteBlobStore(in: directory.appending(path: "photos"), byteLimit: 500 << 20)
/// let writer = try await store.write(BlobKey(group: url), note: [])
/// ```
///
/// A body is kept whole or not at all, also when the process is killed; what is damaged is found by checksums, block by block, and removed. Nothing waits for
/// the disk: after a power cut some of what was written last may be missing. A directory has one owner at a time; whoever opens it removes what a kill has left.
///
/// An index that is damaged, or that a later release has written, is set aside under another name, in the place of the one before.
/// The store begins anew then: `setAside` tells.
public final class SQLiteBlobStore: BlobStore {
    /// Up to this length a body lies in the database, in bytes: beyond it files are read and written sooner.
    package static let inlineLimit = 32 << 10

    private let storage: BlobStorage
    private let threads = FileThreadPool()

    /// Opens a directory, or makes it.
    ///
    /// - Parameter byteLimit: What bodies, notes and names may take together, each body at most a quarter of it. What is being written comes on top.
    /// - Throws: `SQLiteJournalError`.
    public convenience init(in directory: URL, byteLimit: Int) throws {
        try self.init(in: directory, byteLimit: byteLimit, inlineLimit: Self.inlineLimit)
    }

    /// A store with another border between the database and files, to see which is the best.
    ///
    /// - Parameter inlineLimit: At most a block.
    package init(in directory: URL, byteLimit: Int, inlineLimit: Int) throws {
        storage = try BlobStorage(in: directory, byteLimit: byteLimit, inlineLimit: inlineLimit)
    }

    /// Whether the disk was full when the store was opened: bodies are read, and none are added until there is room.
    package var isDiskFull: Bool { storage.index.isDiskFull }

    /// The index that was set aside last, and why; nil when none was.
    public var quarantinedFile: QuarantinedFile? { storage.quarantinedFile }

    /// Writes down what was used, and closes the store. Nothing can be asked of it any more.
    public func close() throws { try storage.close() }

    public nonisolated(nonsending) func blobs(in group: String) async throws -> [Blob] {
        try await threads.run { [storage] in try storage.blobs(in: group) }
    }

    public nonisolated(nonsending) func open(_ blob: Blob) async throws -> (any BlobReader)? {
        try await threads.run { [storage, threads] in try storage.reader(of: blob, on: threads) }
    }

    public nonisolated(nonsending) func write(_ key: BlobKey, metadata: [UInt8]) async throws -> any BlobWriter {
        SQLiteBlobWriter(key, metadata: metadata, to: storage, on: threads)
    }

    public nonisolated(nonsending) func setMetadata(_ note: [UInt8], of blob: Blob) async throws -> Blob? {
        try await threads.run { [storage] in try storage.setMetadata(note, of: blob) }
    }

    public nonisolated(nonsending) func remove(_ blob: Blob) async throws {
        try await threads.run { [storage] in try storage.remove(blob) }
    }

    public nonisolated(nonsending) func removeAll(in group: String) async throws {
        try await threads.run { [storage] in try storage.removeAll(in: group) }
    }

    public nonisolated(nonsending) func removeAll() async throws {
        try await threads.run { [storage] in try storage.removeAll() }
    }

    public nonisolated(nonsending) func usage() async throws -> BlobUsage { storage.usage }

    /// The most pages that the index may have: for tests of a disk that is full.
    package func limitPages(to: Int) throws { try storage.limitPages(to: to) }
}
