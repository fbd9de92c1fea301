public import Foundation
import GRDB
public import LadingOutbox
import SQLiteFiles

/// A durable journal of an outbox in a SQLite file.
///
/// ```swift
/// let journal = try SQLiteOutboxJournal(at: directory.appending(path: "outbox.sqlite"))
/// let outbox = try await Outbox(client: client, queue: queue, journal: journal)
/// ```
///
/// A write is confirmed after its log was synced (`synchronous = FULL`). The first sync of a log also syncs the folder, which makes the names of file
/// and log durable. A checkpoint syncs the log, writes to the file, and syncs it before the log is restarted or truncated. The log of a killed
/// program is synced when the file is opened, before any of its entries is reported as known.
///
/// A damaged file, even with a single damaged row, is quarantined with the suffix `-damaged` and a number. A new one is created with the readable
/// rows, as `quarantinedFile` and `recoveredCount` report. If the process ends meanwhile, the next opening finishes that. A file of a later release
/// is rejected unchanged.
///
/// Functions throw `SQLiteJournalError` when the file cannot be read or written.
public final class SQLiteOutboxJournal: OutboxJournal {
    /// The damaged file that was quarantined; nil if there was none.
    public let quarantinedFile: URL?
    /// The number of entries that were copied from the damaged file.
    public let recoveredCount: Int

    /// Whether the disk was full when the file was opened: entries are readable, and `add` throws `OutboxError.diskFull` until there is room.
    package let isDiskFull: Bool

    private let database: JournalDatabase
    var pool: any DatabaseWriter { database.pool }

    /// Opens or creates the file in an existing folder. On a full disk an existing file is opened for reading.
    ///
    /// - Throws: `SQLiteJournalError`.
    public init(at file: URL) throws {
        let opened = try SQLiteJournalError.converting {
            try SQLiteFile.open(
                file, migrator: Self.migrator, checksums: Self.checksums, readsOnFullDisk: true,
                recover: { damaged, draft in _ = try RowRecovery.copy(Self.recoveredTables, from: damaged, to: draft) })
        }
        database = JournalDatabase(pool: opened.database, file: file)
        (isDiskFull, quarantinedFile) = (opened.isDiskFull, opened.quarantinedFile)
        recoveredCount = try SQLiteJournalError.converting {
            guard opened.quarantinedFile != nil else { return 0 }
            return try opened.prepare { pool in
                try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entries") ?? 0 }
            }
        }
    }

    private static var recoveredTables: [RowRecovery.Table] {
        [
            RowRecovery.Table(checksums: OutboxReceipt.checksums, isAutoincrement: true) { OutboxReceipt(row: $0) != nil },
            RowRecovery.Table(checksums: OutboxEntry.checksums, isAutoincrement: true) { OutboxEntry(row: $0) != nil },
        ]
    }

    /// The `synchronous` setting of SQLite; 2 is FULL.
    package var synchronous: Int? {
        get throws { try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } }
    }

    /// Closes the file. The journal must not be used afterwards.
    ///
    /// - Throws: `SQLiteJournalError` when SQLite cannot close the file.
    public func close() throws {
        try database.close { try SQLiteFile.closeOwned($0, of: database.file) }
    }

    public nonisolated(nonsending) func contents(of partition: String) async throws -> OutboxContents {
        try await database.read { database in
            let entries = try Row.fetchAll(
                database, sql: "SELECT * FROM entries WHERE partition = ? ORDER BY position", arguments: [partition])
            let receipts = try Row.fetchAll(
                database, sql: "SELECT * FROM receipts WHERE partition = ? ORDER BY position", arguments: [partition])
            return OutboxContents(
                entries: entries.compactMap(OutboxEntry.init(row:)), receipts: receipts.compactMap(OutboxReceipt.init(row:)))
        }
    }

    /// Appends an entry and assigns its position; changes nothing when its key is known.
    ///
    /// - Throws: `OutboxError.diskFull` if there is no room for the entry, which is then not added; `SQLiteJournalError`.
    public nonisolated(nonsending) func add(_ entry: OutboxEntry) async throws -> OutboxInsertResult {
        do {
            return try await insert(entry)
        } catch SQLiteJournalError.diskFull {
            throw OutboxError.diskFull
        }
    }

    private nonisolated(nonsending) func insert(_ entry: OutboxEntry) async throws -> OutboxInsertResult {
        try await database.write { database in
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
        try await database.write { database in
            let name: StatementArguments = [entry.partition, entry.id.rawValue]
            let row = try Row.fetchOne(database, sql: "SELECT * FROM entries WHERE partition = ? AND key = ?", arguments: name)
            // A new checksum would make a damaged row valid.
            guard let row, OutboxEntry.checksums.isValid(row) else { return }
            try database.execute(
                sql: "UPDATE entries SET attempts = ?, failure = ? WHERE partition = ? AND key = ?",
                arguments: [entry.attempts, entry.lastFailure, entry.partition, entry.id.rawValue])
            try OutboxEntry.checksums.update(where: "partition = ? AND key = ?", name, in: database)
        }
    }

    public nonisolated(nonsending) func replaceEntry(with receipt: OutboxReceipt, retaining limit: Int) async throws {
        try await database.write { database in
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
    /// The checksums of all tables.
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

    // AUTOINCREMENT: the position of a removed entry is never reused.
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

    // The date at which older receipts were added is unknown; until now their end counted as this date.
    private static let addReceiptDates = """
        ALTER TABLE receipts ADD COLUMN added REAL NOT NULL DEFAULT 0;
        UPDATE receipts SET added = ended;
        """
}
