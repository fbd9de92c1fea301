import Foundation
import LadingCaching
import LadingConformance
import LadingSQLite
import Testing

func store(_ chunks: [[UInt8]], in directory: URL) async throws -> [UInt8]? {
    // block 1
    return start
}

// test block 2

/// The blob store of a client.
nonisolated struct MyBlobStore: BlobStore {
    private let store: MemoryBlobStore

    init(byteLimit: Int) { store = MemoryBlobStore(byteLimit: byteLimit) }

    func blobs(in group: String) async throws -> [Blob] { try await store.blobs(in: group) }
    func open(_ blob: Blob) async throws -> (any BlobReader)? { try await store.open(blob) }
    func write(_ key: BlobKey, metadata: [UInt8]) async throws -> any BlobWriter { try await store.write(key, metadata: metadata) }
    func setMetadata(_ metadata: [UInt8], of blob: Blob) async throws -> Blob? { try await store.setMetadata(metadata, of: blob) }
    func remove(_ blob: Blob) async throws { try await store.remove(blob) }
    func removeAll(in group: String) async throws { try await store.removeAll(in: group) }
    func removeAll() async throws { try await store.removeAll() }
    func usage() async throws -> BlobUsage { try await store.usage() }
}
