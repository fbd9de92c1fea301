import Deliveries
import Foundation
import LadingJournals
import LadingSQLite
import ServerStartup

/// The stored deliveries of one list. Only the program that holds the lock fetches deliveries; others read the stored ones.
struct DeliveryCoordinator: Sendable {
    private static let folderName = "deliveries"
    static let lockName = "deliveries.lock"
    static let outboxName = "outbox.sqlite"

    let list: DeliveryList
    let store: SQLiteRecordStore<Delivery>
    let folder: URL
    /// The file of the queued writes.
    let outboxFile: URL
    /// The reason, as text for users, why nothing can be fetched: another program holds the lock. Nil if this program holds it or the disk is full.
    let lockConflict: String?
    private let lock: DirectoryLock?
    /// A temporary directory, removed on close.
    private let temporary: URL?

    /// Opens the store of a list.
    ///
    /// - Parameters:
    ///   - storedList: The list under whose address it is stored, for a list whose address varies; nil for its own address.
    ///   - directory: The data directory; nil stores nothing permanently.
    /// - Throws: `DirectoryLock.Failure`, `SQLiteStoreError`, or `ProgramFailure` when another program holds the lock and nothing of this list is
    ///   stored.
    init(_ list: DeliveryList, storedAs storedList: DeliveryList? = nil, in directory: URL?) throws {
        self.list = list
        temporary = directory == nil ? FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())") : nil
        folder = (directory ?? temporary ?? URL.currentDirectory()).appending(path: Self.folderName, directoryHint: .isDirectory)
        (lock, lockConflict) = try Self.acquireLock(on: folder)
        outboxFile = folder.appending(path: Self.outboxName, directoryHint: .notDirectory)
        let file = SQLiteRecordStore<Delivery>.file(for: (storedList ?? list).url.absoluteString, of: "", in: folder)
        if let lockConflict {
            guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
                throw ProgramFailure(message: "no stored deliveries; \(lockConflict)")
            }
            store = try SQLiteRecordStore(reading: file)
        } else {
            store = try Self.openStore(at: file, isLocked: lock != nil)
        }
    }

    /// Whether this program holds the lock. Without a lock and a `lockConflict` the disk has no space for the folder.
    var isLocked: Bool { lock != nil }

    private static func openStore(at file: URL, isLocked: Bool) throws -> SQLiteRecordStore<Delivery> {
        guard isLocked else { return try SQLiteRecordStore(inMemoryReplacing: file) }
        // Without `FullDisk.opening`, with which the optimizer of Swift 6.3.1 ends in an error.
        do { return try SQLiteRecordStore(at: file) } catch SQLiteStoreError.diskFull {
            return try SQLiteRecordStore(inMemoryReplacing: file)
        }
    }

    private static func acquireLock(on folder: URL) throws -> (DirectoryLock?, conflict: String?) {
        do {
            let lock = try DirectoryLock(of: folder, fileName: lockName)
            return (lock, nil)
        } catch  where error.isDiskFull {
            return (nil, nil)
        } catch {
            guard case .locked(_, let owner) = error else { throw error }
            let program = owner.map { "process \($0)" } ?? "another process"
            return (nil, "the deliveries in \(folder.path) are in use by \(program) and cannot be updated: \(lockConflictHint)")
        }
    }

    private static let lockConflictHint = "stop that process, or choose another directory with --data"

    /// Closes the store and unlocks the directory.
    func close() {
        try? store.close()
        lock?.release()
        if let temporary { try? FileManager.default.removeItem(at: temporary) }
    }
}
