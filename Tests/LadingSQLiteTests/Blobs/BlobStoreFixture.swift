import Foundation
import GRDB
import LadingCaching
import LadingConformance
import LadingSQLite
@testable import StoreFixtures

/// The directory of a blob store, to inspect and to damage.
struct BlobStoreFixture {
    let folder: StoreFolder

    init() throws {
        folder = try StoreFolder("blobs")
    }

    func open(byteLimit: Int = 8 << 20) throws -> SQLiteBlobStore {
        try SQLiteBlobStore(in: folder.url, byteLimit: byteLimit)
    }

    /// Stores the body of a number in its own group.
    func write(_ number: Int, count: Int, to store: SQLiteBlobStore) async throws -> Blob {
        let writer = try await store.write(BlobKey(group: "group \(number)"), metadata: [1, 2, 3])
        try await writer.append(BlobGenerator.body(number, count: count))
        return try await writer.finish(metadata: nil)
    }

    func bytes(of blob: Blob, in store: SQLiteBlobStore) async throws -> [UInt8]? {
        try await store.open(blob)?.read(from: 0, count: .max)
    }

    /// The body files.
    var files: [URL] {
        get throws {
            try FileManager.default.contentsOfDirectory(at: folder.url.appending(path: "bodies"), includingPropertiesForKeys: nil)
        }
    }

    /// The size of the database, in bytes.
    var indexSize: Int {
        get throws { try FileManager.default.attributesOfItem(atPath: folder.file.path)[.size] as? Int ?? 0 }
    }

    /// Performs work with the database through another connection than the store's.
    func withDatabase<Outcome: Sendable>(_ body: @Sendable (Database) throws -> Outcome) throws -> Outcome {
        let queue = try DatabaseQueue(path: folder.file.path)
        defer { try? queue.close() }
        return try queue.write(body)
    }

    /// Flips one bit of a file.
    func flipBit(of file: URL, at offset: Int) throws {
        var data = try Data(contentsOf: file)
        data[offset] ^= 16
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: data)
        try handle.close()
    }
}
