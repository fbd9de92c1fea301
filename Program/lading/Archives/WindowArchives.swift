import DiskSpace
import Foundation
import LadingFeeds
import LadingSQLite
import MarsPhotos
import ServerStartup

/// The archives of a window's orders and photo lists: one for each server of orders, and one for each service of photos.
struct WindowArchives: Sendable {
    /// The configuration of an archive.
    struct Configuration: Sendable {
        /// The list by which its file is named.
        let list: String
        /// The maximum size of its values, in bytes.
        let byteLimit: Int

        /// Returns the configuration for the list of orders, its loaded orders, and their items.
        static func orders(_ lists: (orders: URL, items: URL)) -> Configuration {
            Configuration(list: "orders \(lists.orders.absoluteString) \(lists.items.absoluteString)", byteLimit: 256 << 20)
        }

        /// Returns the configuration for the rovers of a service, their sols, and the lists of photos.
        static func photos(_ kind: PhotoSourceKind, at service: URL) -> Configuration {
            let address = service.absoluteString
            return Configuration(
                list: "photos \(kind.rawValue) \(address.hasSuffix("/") ? String(address.dropLast()) : address)", byteLimit: 64 << 20)
        }
    }

    private static let folderName = "feeds"
    static let lockName = "feeds.lock"

    let orders: RecordArchive?
    let photos: RecordArchive?

    /// Runs a body with open archives, then closes them and unlocks the directory.
    ///
    /// - Parameter directory: The data directory. Nothing is stored if it is nil, if another program uses it, or if its disk is full.
    /// - Throws: `DirectoryLock.Failure`, `SQLiteStoreError`, and the errors of the body.
    static func with(
        _ orders: Configuration, _ photos: Configuration, in directory: URL?, _ body: @Sendable (WindowArchives) async throws -> Void
    ) async throws {
        guard let folder = directory?.appending(path: folderName, directoryHint: .isDirectory),
            let lock = try lock(of: folder)
        else {
            return try await body(WindowArchives(orders: nil, photos: nil))
        }
        defer { lock.release() }
        try await withArchive(orders, in: folder) { orders in
            try await withArchive(photos, in: folder) { photos in
                try await body(WindowArchives(orders: orders, photos: photos))
            }
        }
    }

    private static func lock(of folder: URL) throws -> DirectoryLock? {
        do {
            return try DirectoryLock.tryLock(of: folder, fileName: lockName)
        } catch  where error.isDiskFull {
            reportFullDisk(folder)
            return nil
        }
    }

    private static func reportFullDisk(_ folder: URL) {
        Terminal.error.reportFullDisk(folder, lost: "orders and photo lists are not stored")
    }

    private static func openStore(_ configuration: Configuration, in folder: URL) throws -> SQLiteRecordStore<ArchivedValue>? {
        let file = SQLiteRecordStore<ArchivedValue>.file(for: configuration.list, of: "", in: folder)
        let store = try FullDisk.opening { try SQLiteRecordStore<ArchivedValue>(at: file) }
        if store?.isDiskFull != false { reportFullDisk(folder) }
        return store
    }

    private static func withArchive(
        _ purpose: Configuration, in folder: URL, _ body: @Sendable (RecordArchive?) async throws -> Void
    ) async throws {
        guard let store = try openStore(purpose, in: folder) else { return try await body(nil) }
        defer { try? store.close() }
        if let quarantined = store.quarantinedFile { Terminal.error.write("lading: \(quarantined)\n") }
        let archive = RecordArchive(
            store: store, byteLimit: purpose.byteLimit,
            onFailure: { Terminal.error.write("lading: cannot store loaded rows: \("\($0)".oneLine)\n") })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await archive.run() }
            defer { group.cancelAll() }
            try await body(archive)
        }
    }
}
