import Synchronization

/// A store of bodies in memory, gone with the process: for tests, and where nothing may be left on the disk.
public final class MemoryBlobStore: BlobStore {
    private let shelf: Mutex<MemoryShelf>

    /// - Parameter byteLimit: What bodies, notes and names may take together. A body takes at most a quarter of it.
    public init(byteLimit: Int) {
        shelf = Mutex(MemoryShelf(byteLimit: byteLimit))
    }

    public nonisolated(nonsending) func blobs(in group: String) async throws -> [Blob] {
        shelf.withLock { $0.blobs(in: group) }
    }

    public nonisolated(nonsending) func open(_ blob: Blob) async throws -> (any BlobReader)? {
        shelf.withLock { $0.use(blob) }.map(MemoryBlobReader.init)
    }

    public nonisolated(nonsending) func write(_ key: BlobKey, note: [UInt8]) async throws -> any BlobWriter {
        let limit = shelf.withLock { $0.bodyLimit }
        return MemoryBlobWriter(key, note: note, limit: limit) { note, bytes in
            self.shelf.withLock { $0.keep(key, note: note, bytes) }
        }
    }

    public nonisolated(nonsending) func setNote(_ note: [UInt8], of blob: Blob) async throws -> Blob? {
        try shelf.withLock { try $0.setNote(note, of: blob) }
    }

    public nonisolated(nonsending) func remove(_ blob: Blob) async throws {
        shelf.withLock { $0.remove(blob) }
    }

    public nonisolated(nonsending) func removeAll(in group: String) async throws {
        shelf.withLock { shelf in
            for blob in shelf.blobs(in: group) { shelf.remove(blob) }
        }
    }

    public nonisolated(nonsending) func removeAll() async throws {
        shelf.withLock { $0.removeAll() }
    }

    public nonisolated(nonsending) func usage() async throws -> BlobUsage {
        shelf.withLock { $0.usage }
    }
}
