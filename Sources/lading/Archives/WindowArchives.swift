import Foundation
import LadingFeeds
import LadingSQLite
import MarsPhotos
import ServerStartup

/// Where the orders and photo lists of a window outlive the program: an archive for each server of orders, and one for each service of photos.
struct WindowArchives: Sendable {
    /// What an archive is for.
    struct Configuration: Sendable {
        /// The list in whose file it lies.
        let list: String
        /// The maximum size of its values, in bytes.
        let byteLimit: Int

        /// The list of orders, the orders of it that were loaded, and their items.
        static func orders(_ lists: (orders: URL, items: URL)) -> Configuration {
            Configuration(list: "orders \(lists.orders.absoluteString) \(lists.items.absoluteString)", byteLimit: 256 << 20)
        }

        /// The rovers of a service, their sols, and the lists of photos.
        static func photos(_ kind: PhotoSourceKind, at service: URL) -> Configuration {
            let address = service.absoluteString
            return Configuration(
                list: "photos \(kind.rawValue) \(address.hasSuffix("/") ? String(address.dropLast()) : address)", byteLimit: 64 << 20)
        }
    }

    private static let folderName = "feeds"
    private static let lockName = "feeds.lock"

    let orders: RecordArchive?
    let photos: RecordArchive?

    /// Runs a body with archives that are written meanwhile, and returns the directory however the body ended.
    ///
    /// - Parameter directory: nil stores nothing, and so does a directory that belongs to another program, or whose disk has no room.
    /// - Throws: `DirectoryLock.Failure`, `SQLiteJournalError`, and what the body throws.
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

    private static func openStore(_ purpose: Configuration, in folder: URL) throws -> SQLiteRecordStore<ArchivedValue>? {
        do {
            let store = try SQLiteRecordStore<ArchivedValue>(
                at: SQLiteRecordStore<ArchivedValue>.file(for: purpose.list, of: "", in: folder))
            if store.isDiskFull { reportFullDisk(folder) }
            return store
        } catch SQLiteJournalError.diskFull {
            reportFullDisk(folder)
            return nil
        }
    }

    private static func withArchive(
        _ purpose: Configuration, in folder: URL, _ body: @Sendable (RecordArchive?) async throws -> Void
    ) async throws {
        guard let store = try openStore(purpose, in: folder) else { return try await body(nil) }
        defer { try? store.close() }
        if let quarantined = store.quarantinedFile { Terminal.error.write("lading: \(quarantined)\n") }
        let archive = RecordArchive(
            store: store, byteLimit: purpose.byteLimit,
            onFailure: { Terminal.error.write("lading: what is loaded cannot be stored: \("\($0)".oneLine)\n") })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await archive.run() }
            defer { group.cancelAll() }
            try await body(archive)
        }
    }
}
