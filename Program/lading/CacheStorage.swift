import DiskSpace
import Foundation
import LadingCaching
import LadingHTTP
import LadingSQLite
import ServerStartup

/// The storage of cached responses: a folder of a data directory, so that they survive a restart, otherwise memory.
struct CacheStorage: Sendable {
    /// The configuration of a store.
    struct Configuration: Sendable {
        let folder: String
        /// The name of the content in messages.
        let content: String
        /// The maximum size on disk, in bytes.
        let diskLimit: Int
        /// The maximum size in memory, in bytes.
        let memoryLimit: Int
        /// Whether memory is used while another program locks the directory.
        let allowsMemoryFallback: Bool

        /// The images and photos of a window.
        static let images = Configuration(
            folder: "pictures", content: "images", diskLimit: 512 << 20, memoryLimit: 64 << 20, allowsMemoryFallback: true)
        /// The answers of a geocoder.
        static let places = Configuration(
            folder: "places", content: "places of addresses", diskLimit: 64 << 20, memoryLimit: 8 << 20, allowsMemoryFallback: true)
        /// Returns the configuration for the responses of a proxy. Private and shared caches are separate.
        static func proxy(for audience: CacheScope) -> Configuration {
            let folder = audience == .shared ? "proxy-shared" : "proxy"
            return Configuration(
                folder: folder, content: "responses", diskLimit: 1 << 30, memoryLimit: 256 << 20, allowsMemoryFallback: false)
        }
    }

    static let lockName = "replies.lock"

    private let store: any BlobStore
    private let diskStore: SQLiteBlobStore?
    private let lock: DirectoryLock?

    /// Runs a body with a store, then closes it and unlocks the directory.
    ///
    /// - Parameter directory: The data directory; nil stores responses in memory.
    /// - Throws: `DirectoryLock.Failure`, `SQLiteStoreError`, and the errors of the body.
    static func with<Outcome>(
        _ configuration: Configuration, in directory: URL?, _ body: (any BlobStore) async throws -> Outcome
    ) async throws -> Outcome {
        let storage = try CacheStorage(configuration, in: directory)
        defer { storage.close() }
        return try await body(storage.store)
    }

    private init(_ purpose: Configuration, in directory: URL?) throws {
        let folder = directory?.appending(path: purpose.folder, directoryHint: .isDirectory)
        let opened = try folder.flatMap { try Self.open($0, purpose) }
        (diskStore, lock) = (opened?.store, opened?.lock)
        store = if let opened { opened.store } else { MemoryBlobStore(byteLimit: purpose.memoryLimit) }
    }

    /// Returns nil when responses must be stored in memory: another program locks the folder, or the disk is full.
    private static func open(_ folder: URL, _ purpose: Configuration) throws -> (store: SQLiteBlobStore, lock: DirectoryLock)? {
        let opened = try FullDisk.opening {
            try acquireLock(on: folder, purpose).map { (store: try SQLiteBlobStore(in: folder, byteLimit: purpose.diskLimit), lock: $0) }
        }
        guard let opened else {
            reportFullDisk(folder, purpose)
            return nil
        }
        guard let (store, lock) = opened else { return nil }
        if let quarantined = store.quarantinedFile { Terminal.error.write("lading: \(quarantined)\n") }
        if store.isDiskFull { reportFullDisk(folder, purpose) }
        return (store, lock)
    }

    private static func reportFullDisk(_ folder: URL, _ purpose: Configuration) {
        Terminal.error.reportFullDisk(folder, lost: "\(purpose.content) are not stored")
    }

    /// Returns nil when another program locks the folder and memory is allowed.
    private static func acquireLock(on folder: URL, _ purpose: Configuration) throws -> DirectoryLock? {
        guard purpose.allowsMemoryFallback else { return try DirectoryLock(of: folder, fileName: lockName) }
        return try DirectoryLock.tryLock(of: folder, fileName: lockName)
    }

    private func close() {
        try? diskStore?.close()
        lock?.release()
    }
}
