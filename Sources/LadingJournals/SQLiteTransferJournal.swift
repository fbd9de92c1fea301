import FileLocks
public import Foundation
import GRDB
public import LadingTransfers
import SQLiteFiles

/// A durable journal of transfers in a SQLite file, which several programs may use at once.
///
/// The program that owns the journal and runs its transfers locks a file beside it, which has the suffix `.lock`.
///
/// ```swift
/// let journal = try SQLiteTransferJournal(at: directory.appending(path: "transfers.sqlite"))
/// let transfers = FileTransfers(client: client, queue: queue, journal: journal)
/// ```
///
/// A damaged file is quarantined with the suffix `-damaged` and a number, and a new one is created with the readable rows, as `quarantinedFile` and
/// `recoveredCount` report; while another program owns the journal, it is rejected. If the process ends meanwhile, the next opening finishes that.
/// A file of a later release is rejected unchanged. A transfer with a damaged row is removed with its part file, because resuming it could damage a
/// file, and a damaged command likewise. The part file of a transfer whose row is unreadable remains.
///
/// Functions throw `SQLiteJournalError` when the file cannot be read or written.
public final class SQLiteTransferJournal: TransferJournal {
    /// The damaged file that was quarantined; nil if there was none.
    public let quarantinedFile: URL?
    /// The number of transfers that were copied from the damaged file.
    public let recoveredCount: Int
    /// The number of transfers that were removed on opening because their rows were damaged.
    package let corruptCount: Int
    /// The number of pending commands that were removed on opening because their rows were damaged.
    package let corruptCommandCount: Int

    private let database: JournalDatabase
    private let lockFile: URL
    private let paths: RelativePaths

    /// Opens or creates the file in an existing folder.
    ///
    /// - Parameter base: A folder that may move between two processes, such as `URL.homeDirectory` of an app on iOS: the paths of files below it are
    ///   stored relative to it. Nil stores absolute paths. Absolute paths are read with any base. All programs that use the journal must pass the same
    ///   folder: without one, transfers with relative paths are not returned.
    /// - Throws: `SQLiteJournalError`.
    public init(at file: URL, relativeTo base: URL? = nil) throws {
        lockFile = Self.lockFile(of: file)
        paths = RelativePaths(to: base)
        // Moving the file would separate an owner from the commands of other programs.
        var ownership: TransferOwnership?
        defer { ownership?.release() }
        let opened = try SQLiteJournalError.converting { [lockFile, paths] in
            try SQLiteFile.open(
                file, migrator: Self.migrator,
                beforeQuarantine: { if ownership == nil { ownership = try Self.acquireOwnership(lockFile) } },
                recover: { damaged, draft in
                    let lost = try RowRecovery.copy(Self.recoveredTables, from: damaged, to: draft)
                    for row in lost { TransferRecord.removePartFile(of: row, paths) }
                })
        }
        database = JournalDatabase(pool: opened.database, file: file)
        quarantinedFile = opened.quarantinedFile
        (recoveredCount, corruptCount, corruptCommandCount) = try SQLiteJournalError.converting { [paths] in
            try opened.prepare { pool in
                let lost = try Self.removeCorrupt(TransferRecord.checksums, in: pool)
                for row in lost { TransferRecord.removePartFile(of: row, paths) }
                let lostCommands = try Self.removeCorrupt(TransferCommand.checksums, in: pool)
                let count = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM transfers") ?? 0 }
                return (opened.quarantinedFile == nil ? 0 : count, lost.count, lostCommands.count)
            }
        }
    }

    private static var recoveredTables: [RowRecovery.Table] {
        [TransferRecord.checksums, TransferCommand.checksums].map { RowRecovery.Table(checksums: $0, isIntact: $0.isValid) }
    }

    /// Removes the damaged rows of a table, and returns them.
    private static func removeCorrupt(_ rows: RowChecksums, in pool: any DatabaseWriter) throws -> [Row] {
        guard try pool.read({ try rows.corruptCount(in: $0) }) > 0 else { return [] }
        return try pool.write { try rows.removeCorrupt(in: $0) }
    }

    /// The `synchronous` setting of SQLite; 2 is FULL.
    package var synchronous: Int? {
        get throws { try database.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } }
    }

    // Commands and attempts share a journal; releasing the last reference closes it.
    deinit { try? close() }

    /// Closes the file. The journal must not be used afterwards.
    ///
    /// - Throws: `SQLiteJournalError` when SQLite cannot close the file.
    public func close() throws {
        try database.close { try SQLiteFile.close($0) }
    }

    /// Makes the caller the owner of the journal, without waiting for another owner.
    ///
    /// - Throws: `TransferError.journalInUse` while there is an owner; `SQLiteJournalError.unavailable` when the lock file cannot be created.
    public func acquireOwnership() throws -> TransferOwnership { try Self.acquireOwnership(lockFile) }

    private static func acquireOwnership(_ lockFile: URL) throws -> TransferOwnership {
        do throws(FileLock.Failure) {
            let lock = try FileLock(lockFile)
            return TransferOwnership { lock.release() }
        } catch {
            switch error {
            case .locked(let owner): throw TransferError.journalInUse(by: owner)
            case .unavailable(let cause): throw SQLiteJournalError.unavailable(lockFile, cause: cause)
            }
        }
    }

    /// Returns one lock file for all paths of the journal. The database cannot be locked itself: SQLite loses its locks when the file is closed
    /// elsewhere.
    private static func lockFile(of file: URL) -> URL {
        file.resolvingSymlinksInPath().appendingPathExtension("lock")
    }

    public nonisolated(nonsending) func records() async throws -> [TransferRecord] {
        try await database.read { [paths] database in
            try Row.fetchAll(database, sql: "SELECT * FROM transfers ORDER BY position").compactMap { TransferRecord($0, paths) }
        }
    }

    public nonisolated(nonsending) func record(of id: TransferID) async throws -> TransferRecord? {
        try await database.read { [paths] database in
            let row = try Row.fetchOne(database, sql: "SELECT * FROM transfers WHERE id = ?", arguments: [id.rawValue])
            return row.flatMap { TransferRecord($0, paths) }
        }
    }

    public nonisolated(nonsending) func save(_ record: TransferRecord) async throws {
        try await database.write { [paths] in try record.save(in: $0, paths) }
    }

    public nonisolated(nonsending) func remove(_ id: TransferID) async throws {
        try await database.write { try $0.execute(sql: "DELETE FROM transfers WHERE id = ?", arguments: [id.rawValue]) }
    }

    public nonisolated(nonsending) func post(_ command: TransferCommand) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO wishes (kind, transfer, url) VALUES (?, ?, ?)",
                arguments: [command.kind.rawValue, command.id.rawValue, command.url?.absoluteString])
            try TransferCommand.checksums.update(where: "position = ?", [database.lastInsertedRowID], in: database)
        }
    }

    public nonisolated(nonsending) func consumeCommands() async throws -> [TransferCommand] {
        // Usually there is none, and reading takes no write lock.
        guard try await nextCommand() != nil else { return [] }
        return try await database.write { database in
            let commands = try Row.fetchAll(database, sql: "SELECT * FROM wishes ORDER BY position").compactMap(TransferCommand.init)
            try database.execute(sql: "DELETE FROM wishes")
            return commands
        }
    }

    public nonisolated(nonsending) func performCommands(
        _ perform: nonisolated(nonsending) (TransferCommand) async throws -> Void
    ) async throws {
        while let next = try await nextCommand() {
            if let command = next.command { try await perform(command) }
            try await database.write { try $0.execute(sql: "DELETE FROM wishes WHERE position = ?", arguments: [next.position]) }
        }
    }

    private struct QueuedCommand: Sendable {
        let position: Int64
        /// nil for a damaged row.
        let command: TransferCommand?
    }

    /// Returns the oldest command; nil if there is none.
    private func nextCommand() async throws -> QueuedCommand? {
        try await database.read { database in
            guard let row = try Row.fetchOne(database, sql: "SELECT * FROM wishes ORDER BY position LIMIT 1") else { return nil }
            return QueuedCommand(position: try row.checked("position"), command: TransferCommand(row))
        }
    }
}

// MARK: - Schema

extension SQLiteTransferJournal {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("transfers") { try $0.execute(sql: schema) }
        migrator.registerMigration("knownDigest") { try $0.execute(sql: "ALTER TABLE transfers ADD COLUMN knownDigest TEXT") }
        migrator.registerMigration("checksums") { try TransferRecord.checksums.addColumn(in: $0) }
        migrator.registerMigration("commandChecksums") { try TransferCommand.checksums.addColumn(in: $0) }
        return migrator
    }

    private static let schema = """
        CREATE TABLE transfers (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            direction TEXT NOT NULL,
            remote TEXT NOT NULL,
            file TEXT NOT NULL,
            status TEXT NOT NULL,
            completed INTEGER NOT NULL CHECK (completed >= 0),
            total INTEGER CHECK (total >= 0),
            isResumable INTEGER,
            reason TEXT,
            replaces INTEGER NOT NULL,
            boot TEXT,
            version TEXT,
            digest TEXT,
            resource TEXT,
            sourceSize INTEGER,
            sourceModified INTEGER,
            created REAL NOT NULL
        ) STRICT;
        CREATE TABLE wishes (
            position INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            transfer TEXT NOT NULL,
            url TEXT
        ) STRICT;
        """
}

extension TransferCommand {
    static let checksums = RowChecksums(table: "wishes", columns: ["kind", "transfer", "url"], title: "commands")

    /// Decodes a command; nil if its row is damaged or the command is unknown.
    fileprivate init?(_ row: Row) {
        guard Self.checksums.isValid(row), let kind = row.value("kind", as: String.self).flatMap({ Kind(rawValue: $0) }),
            let id = row.value("transfer", as: String.self).flatMap({ TransferID(rawValue: $0) })
        else { return nil }
        self.init(kind, id, at: row.value("url", as: String.self).flatMap { URL(string: $0) })
    }
}
