import FileChecksums
import Foundation
import GRDB
import LadingCaching

/// The database of a store of bodies: what is kept, and where.
final class BlobIndex: Sendable {
    /// The log is folded into the file when it is longer than this, in bytes.
    private static let logLimit = 16 << 20
    /// How many empty pages are given back to the disk in one go: as much as the log may be long.
    private static let vacuumPageLimit = 4_096
    /// So many empty pages are always let be: what comes next fills them.
    private static let minimumFreePages = 256

    /// What makes hashes of keys unknown to those who choose the keys.
    let salt: UInt64
    /// Whether the disk was full when the file was opened: it is read, and takes nothing until there is room.
    let isDiskFull: Bool
    private let pool: any DatabaseWriter
    private let file: URL

    private init(_ opened: SQLiteFile.OpenedDatabase, _ file: URL) throws {
        (pool, isDiskFull, self.file) = (opened.database, opened.isDiskFull, file)
        salt = try opened.database.read(BlobTables.salt)
    }

    /// Opens a file and reads what is needed of it. One that turns out to be damaged or newer is set aside, and a new one begun.
    ///
    /// - Throws: `SQLiteJournalError`.
    static func open<Loaded>(
        _ file: URL, load: (BlobIndex) throws -> Loaded
    ) throws -> (index: BlobIndex, loaded: Loaded, setAside: QuarantinedFile?) {
        do {
            let (index, loaded) = try loadedIndex(at: file, load)
            return (index, loaded, nil)
        } catch {
            guard let reason = QuarantinedFile.Reason(error) else { throw SQLiteFile.failure(error, of: file) }
            let quarantined = try SQLiteFile.quarantine(file, as: reason.rawValue, because: error, isReplacing: true)
            do {
                let (index, loaded) = try loadedIndex(at: file, load)
                return (index, loaded, QuarantinedFile(file: quarantined, reason: reason))
            } catch {
                throw SQLiteFile.failure(error, of: file)
            }
        }
    }

    private static func loadedIndex<Loaded>(at file: URL, _ load: (BlobIndex) throws -> Loaded) throws -> (BlobIndex, Loaded) {
        // A power cut may take back what was written last: it is fetched again.
        let opened = try SQLiteFile.database(at: file, BlobTables.migrator, isDurable: false) { database in
            // It counts before the first table is made; a file that was made without it is packed by writing it anew.
            // It writes to the file, which a full disk does not take.
            let isShared = try String.fetchOne(database, sql: "PRAGMA locking_mode") != "exclusive"
            guard !database.configuration.readonly, isShared else { return }
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        }
        do {
            let index = try BlobIndex(opened, file)
            let loaded = try load(index)
            index.vacuumIfMostlyEmpty()
            return (index, loaded)
        } catch {
            try? opened.database.close()
            throw error
        }
    }

    func hash(of key: BlobKey) -> UInt64 { BlobTables.hash(of: key, salt: salt) }

    func read<Outcome>(_ body: (BlobTables) throws -> Outcome) throws -> Outcome {
        try pool.read { try body(BlobTables($0, salt: salt)) }
    }

    func write<Outcome>(_ body: (BlobTables) throws -> Outcome) throws -> Outcome {
        let outcome = try pool.write { try body(BlobTables($0, salt: salt)) }
        checkpointIfNeeded()
        return outcome
    }

    /// The most pages that the database may have: for tests of a disk that is full.
    func limitPages(to: Int) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(to)") }
    }

    /// SQLite begins the log anew only when nobody reads from it, which may never come while many read in turn. This waits for those who read now.
    private func checkpointIfNeeded() {
        var status = stat()
        guard stat(file.path(percentEncoded: false) + "-wal", &status) == 0, status.st_size > Self.logLimit else { return }
        // While somebody holds on to an old state it stays long: the next write tries again.
        vacuumAndCheckpoint()
    }

    /// Gives empty pages back to the disk when they are more than a quarter, and folds the log into the file.
    private func vacuumAndCheckpoint() {
        try? pool.writeWithoutTransaction { database in
            if try Self.isEmpty(database, oneOf: 4) { try? database.execute(sql: "PRAGMA incremental_vacuum(\(Self.vacuumPageLimit))") }
            _ = try database.checkpoint(.truncate)
        }
    }

    /// Writes the file anew when more than half of it is empty: that takes no longer than what is kept is long.
    private func vacuumIfMostlyEmpty() {
        try? pool.writeWithoutTransaction { database in
            guard try Self.isEmpty(database, oneOf: 2) else { return }
            try database.execute(sql: "VACUUM")
            _ = try database.checkpoint(.truncate)
        }
    }

    /// Whether more than one of so many pages is empty.
    private static func isEmpty(_ database: Database, oneOf share: Int) throws -> Bool {
        let empty = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        return try empty > minimumFreePages && empty > (Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0) / share
    }

    func close() throws {
        // The pool closes its readers last, and they cannot fold the log into the file.
        vacuumAndCheckpoint()
        try pool.close()
        // Without it the index is only checked less.
        try? ChecksumSidecar(of: file).write()
    }
}
