import Synchronization

/// A blob store in memory, for tests and for use without a disk.
public final class MemoryBlobStore: BlobStore {
    private let storage: Mutex<MemoryBlobStorage>

    /// Creates an empty store.
    ///
    /// - Parameter byteLimit: The maximum total size of bodies, metadata and keys, in bytes. A body may take at most a quarter of it.
    public init(byteLimit: Int) {
        storage = Mutex(MemoryBlobStorage(byteLimit: byteLimit))
    }

    public nonisolated(nonsending) func blobs(in group: String) async throws -> [Blob] {
        storage.withLock { $0.blobs(in: group) }
    }

    public nonisolated(nonsending) func open(_ blob: Blob) async throws -> (any BlobReader)? {
        storage.withLock { $0.access(blob) }.map(MemoryBlobReader.init)
    }

    public nonisolated(nonsending) func write(_ key: BlobKey, metadata: [UInt8]) async throws -> any BlobWriter {
        let limit = storage.withLock { $0.bodyLimit }
        return MemoryBlobWriter(key, metadata: metadata, limit: limit) { metadata, bytes in
            self.storage.withLock { $0.insert(key, metadata: metadata, bytes) }
        }
    }

    public nonisolated(nonsending) func setMetadata(_ metadata: [UInt8], of blob: Blob) async throws -> Blob? {
        try storage.withLock { try $0.setMetadata(metadata, of: blob) }
    }

    public nonisolated(nonsending) func remove(_ blob: Blob) async throws {
        storage.withLock { $0.remove(blob) }
    }

    public nonisolated(nonsending) func removeAll(in group: String) async throws {
        storage.withLock { storage in
            for blob in storage.blobs(in: group) { storage.remove(blob) }
        }
    }

    public nonisolated(nonsending) func removeAll() async throws {
        storage.withLock { $0.removeAll() }
    }

    public nonisolated(nonsending) func usage() async throws -> BlobUsage {
        storage.withLock { $0.usage }
    }
}
