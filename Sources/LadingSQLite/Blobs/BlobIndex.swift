import FileChecksums
import Foundation
import GRDB
import LadingCaching
import SQLiteFiles

/// The database of a blob store, with the keys and the locations of its bodies.
final class BlobIndex: Sendable {
    /// The length of the log in bytes beyond which it is checkpointed into the file.
    private static let logLimit = 16 << 20
    /// The maximum number of free pages that one vacuum releases, which also bounds the length of the log.
    private static let vacuumPageLimit = 4_096
    /// The number of free pages that are always retained for the next writes.
    private static let minimumFreePages = 256

    /// A random seed that makes hashes of keys unpredictable.
    let salt: UInt64
    /// Whether the disk was full when the file was opened: the index is readable and rejects writes until there is room.
    let isDiskFull: Bool
    private let pool: any DatabaseWriter
    private let file: URL

    private init(_ opened: SQLiteFile.OpenedDatabase, _ file: URL) throws {
        (pool, isDiskFull, self.file) = (opened.database, opened.isDiskFull, file)
        salt = try opened.database.read(BlobTables.salt)
    }

    /// Opens a file and loads its contents. A damaged or newer file is quarantined and replaced by an empty one.
    ///
    /// - Throws: `SQLiteFileError`.
    static func open<Loaded>(
        _ file: URL, load: (BlobIndex) throws -> Loaded
    ) throws -> (index: BlobIndex, loaded: Loaded, setAside: QuarantinedFile?) {
        do {
            let (index, loaded) = try SQLiteFile.repeatingIfCorrupt { try loadedIndex(at: file, load) }
            return (index, loaded, nil)
        } catch {
            guard let reason = QuarantinedFile.Reason(error) else { throw SQLiteFile.failure(error, of: file) }
            let quarantined = try SQLiteFile.quarantine(file, as: reason.rawValue, cause: error, isReplacing: true)
            do {
                let (index, loaded) = try loadedIndex(at: file, load)
                return (index, loaded, QuarantinedFile(file: quarantined, reason: reason))
            } catch {
                throw SQLiteFile.failure(error, of: file)
            }
        }
    }

    private static func loadedIndex<Loaded>(at file: URL, _ load: (BlobIndex) throws -> Loaded) throws -> (BlobIndex, Loaded) {
        // Not durable: bodies lost in a power cut are fetched again.
        let opened = try SQLiteFile.database(at: file, BlobTables.migrator, isDurable: false) { database in
            // `auto_vacuum` must be set before the first table is created; a file without it is compacted by `VACUUM`.
            // It writes to the file, which fails on a full disk.
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

    /// Performs a transaction.
    ///
    /// - Parameter onRollback: Called when the transaction has failed, before the next one starts.
    func write<Outcome>(_ body: (BlobTables) throws -> Outcome, onRollback: (BlobTables) -> Void = { _ in }) throws -> Outcome {
        var outcome: Outcome?
        try pool.writeWithoutTransaction { database in
            let tables = BlobTables(database, salt: salt)
            do {
                try database.inTransaction {
                    outcome = try body(tables)
                    return .commit
                }
            } catch {
                onRollback(tables)
                throw error
            }
        }
        checkpointIfNeeded()
        return outcome!
    }

    /// Limits the number of pages of the database, to test a full disk.
    func limitPages(to: Int) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(to)") }
    }

    /// Checkpoints a long log. SQLite restarts the log only when there are no readers, which may never happen with many of them; this waits for the
    /// current ones.
    private func checkpointIfNeeded() {
        guard SQLiteFile.logLength(of: file) > Self.logLimit else { return }
        // While a reader uses an old snapshot the log remains long, and the next write tries again.
        vacuumAndCheckpoint()
    }

    /// Releases free pages if they are more than a quarter of the file, and checkpoints the log.
    private func vacuumAndCheckpoint() {
        try? pool.writeWithoutTransaction { database in
            if try Self.isEmpty(database, oneOf: 4) { try? database.execute(sql: "PRAGMA incremental_vacuum(\(Self.vacuumPageLimit))") }
            _ = try database.checkpoint(.truncate)
        }
    }

    /// Rewrites the file if more than half of it is free, in time proportional to the used part.
    private func vacuumIfMostlyEmpty() {
        try? pool.writeWithoutTransaction { database in
            guard try Self.isEmpty(database, oneOf: 2) else { return }
            try database.execute(sql: "VACUUM")
            _ = try database.checkpoint(.truncate)
        }
    }

    /// Whether more than one in `share` pages is free.
    private static func isEmpty(_ database: Database, oneOf share: Int) throws -> Bool {
        let empty = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        return try empty > minimumFreePages && empty > (Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0) / share
    }

    func close() throws {
        // The pool closes its readers last, and they cannot checkpoint.
        vacuumAndCheckpoint()
        try pool.close()
        // Without a checksum file the check of the index is only less thorough.
        try? ChecksumFile(of: file).write()
    }
}
