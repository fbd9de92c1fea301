public import Foundation
import GRDB
public import LadingHTTP

/// A journal of an outbox in a SQLite file: what it confirms outlives the process and the power.
///
/// ```swift
/// let journal = try SQLiteOutboxJournal(at: directory.appending(path: "outbox.sqlite"))
/// let outbox = try await Outbox(client: client, queue: queue, journal: journal)
/// ```
///
/// A write is confirmed once its log is synced (`synchronous = FULL`). The first sync of a log also syncs the folder, so that the names of file and log are on
/// the disk. A checkpoint syncs the log, writes to the file, and syncs that before the log begins anew or is emptied. What a killed program has left in the log
/// is synced when the file is opened, before anything of it is reported as known.
///
/// A file that is damaged, if only in one row, is set aside, with `-damaged` and a number behind its name, and a new one is begun with the rows that can still be
/// read: `setAside` and `recoveredCount` report it. One that a later release has written is refused, before anything in it is changed.
public final class SQLiteOutboxJournal: OutboxJournal {
    /// The file that was set aside because it was damaged; nil when none was.
    public let quarantinedFile: URL?
    /// The number of waiting writes that were copied from the damaged file.
    public let recoveredCount: Int

    /// Whether the disk was full when the file was opened: entries are read, and `add` throws `OutboxError.diskFull` until there is room.
    package let isDiskFull: Bool

    let pool: any DatabaseWriter
    private let file: URL

    /// Opens or creates the file; its folder must be there. On a full disk a file that is there is opened, to be read.
    ///
    /// - Throws: `SQLiteJournalError`.
    public init(at file: URL) throws {
        self.file = file
        let (opened, damaged) = try SQLiteFile.open(file, migrator: Self.migrator, checksums: Self.checksums, readsOnFullDisk: true)
        (pool, isDiskFull, quarantinedFile) = (opened.database, opened.isDiskFull, damaged)
        do {
            recoveredCount = try damaged.map { try OutboxRecovery.copy(from: $0, to: opened.database) } ?? 0
        } catch {
            try? opened.database.close()
            // The next start tries again.
            if let damaged { SQLiteFile.restore(damaged, as: file) }
            throw SQLiteFile.failure(error, of: file)
        }
    }

    /// How safely commits are written: 2 is FULL.
    package var synchronous: Int? {
        get throws { try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } }
    }

    /// Closes the file. Nothing can be asked of the journal any more.
    public func close() throws { try SQLiteFile.closeOwned(pool, of: file) }

    public nonisolated(nonsending) func contents(of partition: String) async throws -> OutboxContents {
        try await pool.read { database in
            let entries = try Row.fetchAll(
                database, sql: "SELECT * FROM entries WHERE partition = ? ORDER BY position", arguments: [partition])
            let receipts = try Row.fetchAll(
                database, sql: "SELECT * FROM receipts WHERE partition = ? ORDER BY position", arguments: [partition])
            return OutboxContents(
                entries: entries.compactMap(OutboxEntry.init(row:)), receipts: receipts.compactMap(OutboxReceipt.init(row:)))
        }
    }

    /// - Throws: `OutboxError.diskFull` when there is no room for the entry, which is not added then.
    public nonisolated(nonsending) func add(_ entry: OutboxEntry) async throws -> OutboxInsertResult {
        do {
            return try await insert(entry)
        } catch  where SQLiteFile.isDiskFull(error, at: file) {
            throw OutboxError.diskFull
        }
    }

    private nonisolated(nonsending) func insert(_ entry: OutboxEntry) async throws -> OutboxInsertResult {
        try await pool.write { database in
            let name: StatementArguments = [entry.partition, entry.id.rawValue]
            if let row = try Row.fetchOne(database, sql: "SELECT * FROM entries WHERE partition = ? AND key = ?", arguments: name),
                let known = OutboxEntry(row: row)
            {
                return .alreadyPending(known)
            }
            if let row = try Row.fetchOne(database, sql: "SELECT * FROM receipts WHERE partition = ? AND key = ?", arguments: name),
                let receipt = OutboxReceipt(row: row)
            {
                return .alreadyEnded(receipt)
            }
            try database.execute(sql: OutboxEntry.insert, arguments: entry.arguments)
            var added = entry
            added.position = database.lastInsertedRowID
            try OutboxEntry.checksums.update(where: "position = ?", [added.position], in: database)
            return .inserted(added)
        }
    }

    public nonisolated(nonsending) func update(_ entry: OutboxEntry) async throws {
        try await pool.write { database in
            let name: StatementArguments = [entry.partition, entry.id.rawValue]
            let row = try Row.fetchOne(database, sql: "SELECT * FROM entries WHERE partition = ? AND key = ?", arguments: name)
            // A new checksum would make a damaged row look whole.
            guard let row, OutboxEntry.checksums.isValid(row) else { return }
            try database.execute(
                sql: "UPDATE entries SET attempts = ?, failure = ? WHERE partition = ? AND key = ?",
                arguments: [entry.attempts, entry.lastFailure, entry.partition, entry.id.rawValue])
            try OutboxEntry.checksums.update(where: "partition = ? AND key = ?", name, in: database)
        }
    }

    public nonisolated(nonsending) func replaceEntry(with receipt: OutboxReceipt, retaining limit: Int) async throws {
        try await pool.write { database in
            try database.execute(
                sql: "DELETE FROM entries WHERE partition = ? AND key = ?", arguments: [receipt.partition, receipt.id.rawValue])
            try database.execute(sql: OutboxReceipt.insert, arguments: receipt.arguments)
            try OutboxReceipt.checksums.update(where: "position = ?", [database.lastInsertedRowID], in: database)
            try database.execute(sql: Self.deleteOldReceipts, arguments: [receipt.partition, receipt.partition, limit])
        }
    }

    private static let deleteOldReceipts = """
        DELETE FROM receipts WHERE partition = ? AND position NOT IN (
            SELECT position FROM receipts WHERE partition = ? ORDER BY position DESC LIMIT ?
        )
        """
}

// MARK: - Schema

extension SQLiteOutboxJournal {
    /// Those of all tables.
    static let checksums = [OutboxEntry.checksums, OutboxReceipt.checksums]

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("outbox") { try $0.execute(sql: schema) }
        migrator.registerMigration("receipts added") { try $0.execute(sql: addReceiptDates) }
        migrator.registerMigration("checksums") { database in
            for table in checksums { try table.addColumn(in: database) }
        }
        return migrator
    }

    // AUTOINCREMENT: the number of an entry that is gone is never given again.
    private static let schema = """
        CREATE TABLE entries (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            partition TEXT NOT NULL,
            key TEXT NOT NULL,
            subject TEXT NOT NULL,
            method TEXT NOT NULL,
            url TEXT NOT NULL,
            headers TEXT NOT NULL,
            body BLOB NOT NULL,
            action REAL NOT NULL,
            added REAL NOT NULL,
            supersedes INTEGER NOT NULL,
            attempts INTEGER NOT NULL CHECK (attempts >= 0),
            failure TEXT,
            UNIQUE (partition, key)
        ) STRICT;
        CREATE TABLE receipts (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            partition TEXT NOT NULL,
            key TEXT NOT NULL,
            subject TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            action REAL NOT NULL,
            outcome TEXT NOT NULL,
            reason TEXT,
            answer BLOB NOT NULL,
            ended REAL NOT NULL,
            UNIQUE (partition, key)
        ) STRICT;
        """

    // When the older ones came in is not known any more; until now they counted as if it had been when they ended.
    private static let addReceiptDates = """
        ALTER TABLE receipts ADD COLUMN added REAL NOT NULL DEFAULT 0;
        UPDATE receipts SET added = ended;
        """
}
