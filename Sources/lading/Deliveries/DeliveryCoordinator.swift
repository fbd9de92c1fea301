import Deliveries
import Foundation
import LadingSQLite
import ServerStartup

/// The deliveries of one list that a data directory keeps. One program at a time fetches them: the one that holds the lock. Others read what it has stored.
struct DeliveryCoordinator: Sendable {
    private static let folderName = "deliveries"
    private static let lockName = "deliveries.lock"
    static let outboxName = "outbox.sqlite"

    let list: DeliveryList
    let store: SQLiteRecordStore<Delivery>
    let folder: URL
    /// Where the writes lie that wait to be sent.
    let outboxFile: URL
    /// Why nothing may be fetched here, for people; nil when this program holds the lock, and when the disk has no room for it.
    let lockConflict: String?
    private let lock: DirectoryLock?
    /// What is removed in the end.
    private let temporary: URL?

    /// - Parameters:
    ///   - known: The list under the address that it is kept by; another one when the same list is now here and now there.
    ///   - directory: nil keeps nothing beyond the program.
    /// - Throws: `DirectoryLock.Failure`, `SQLiteJournalError`, and `ProgramFailure` when another program holds the lock and has stored nothing of this list.
    init(_ list: DeliveryList, storedAs storedList: DeliveryList? = nil, in directory: URL?) throws {
        self.list = list
        temporary = directory == nil ? FileManager.default.temporaryDirectory.appending(path: "lading-\(UUID())") : nil
        folder = (directory ?? temporary ?? URL.currentDirectory()).appending(path: Self.folderName, directoryHint: .isDirectory)
        (lock, lockConflict) = try Self.acquireLock(on: folder)
        outboxFile = folder.appending(path: Self.outboxName, directoryHint: .notDirectory)
        let file = SQLiteRecordStore<Delivery>.file(for: (storedList ?? list).url.absoluteString, of: "", in: folder)
        if let lockConflict {
            guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
                throw ProgramFailure(message: "no deliveries are stored yet; \(lockConflict)")
            }
            store = try SQLiteRecordStore(reading: file)
        } else {
            store = try Self.openStore(at: file, isLocked: lock != nil)
        }
    }

    /// Whether this program holds the lock; without it and without an obstacle the disk has no room for the folder.
    var isLocked: Bool { lock != nil }

    private static func openStore(at file: URL, isLocked: Bool) throws -> SQLiteRecordStore<Delivery> {
        guard isLocked else { return try SQLiteRecordStore(inMemoryReplacing: file) }
        do {
            return try SQLiteRecordStore(at: file)
        } catch SQLiteJournalError.diskFull {
            return try SQLiteRecordStore(inMemoryReplacing: file)
        }
    }

    private static func acquireLock(on folder: URL) throws -> (DirectoryLock?, obstacle: String?) {
        do {
            let lock = try DirectoryLock(of: folder, fileName: lockName)
            return (lock, nil)
        } catch  where error.isDiskFull {
            return (nil, nil)
        } catch {
            guard case .held(_, let owner) = error else { throw error }
            let program = owner.map { "the running process \($0)" } ?? "another running program"
            return (nil, "the deliveries in \(folder.path) belong to \(program), and nothing new is fetched: \(lockConflictHint)")
        }
    }

    private static let lockConflictHint = "stop that one, or choose another directory with --data"

    /// Closes the store and gives the directory back.
    func close() {
        try? store.close()
        lock?.release()
        if let temporary { try? FileManager.default.removeItem(at: temporary) }
    }
}
