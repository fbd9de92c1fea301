import DiskSpace
import FileChecksums
import FilePermissions
package import Foundation
package import GRDB

/// A database file that is opened durably, rejected if it is newer, and quarantined if it is damaged.
package enum SQLiteFile {
    /// The time for which a write waits for another program, in seconds.
    package static let busyTimeout = 5.0
    /// The length to which the write-ahead log is truncated, in bytes.
    private static let journalSizeLimit = 4 << 20
    /// The maximum number of quarantined files of one file.
    private static let quarantineLimit = 100

    /// A function that configures each connection.
    package typealias Preparation = @Sendable (Database) throws -> Void

    /// An opened database.
    package struct OpenedDatabase {
        package let database: any DatabaseWriter
        package var isDiskFull = false
    }

    /// Opens the file of a journal, which is short enough to be checked page by page.
    ///
    /// A damaged file is replaced by a copy of its readable rows. A replacement that the end of a process interrupted is finished first.
    ///
    /// - Parameters:
    ///   - checksums: The tables in which a damaged row counts as damage of the file.
    ///   - readsOnFullDisk: Whether an existing file on a full disk is opened. Other programs cannot open it then.
    ///   - beforeQuarantine: Called before a damaged file is moved, to exclude other programs that use it; possibly twice. An error prevents
    ///     the move.
    ///   - recover: Copies the readable rows of a damaged file to a database with the schema. An error prevents the move.
    /// - Throws: `SQLiteFileError`.
    package static func open(
        _ file: URL, migrator: DatabaseMigrator, checksums: [RowChecksums] = [], readsOnFullDisk: Bool = false,
        beforeQuarantine: () throws -> Void = {}, recover: (_ damaged: URL, _ draft: DatabaseQueue) throws -> Void
    ) throws -> OpenedJournal {
        let recovery = FileRecovery(of: file)
        var quarantinedFile: URL?
        func openChecked() throws -> OpenedJournal {
            let opened = try readsOnFullDisk ? database(at: file, migrator) : OpenedDatabase(database: pool(at: file, migrator))
            return OpenedJournal(try checked(opened, checksums), of: file, replacing: quarantinedFile)
        }
        do {
            if recovery.isCopied {
                try beforeQuarantine()
                quarantinedFile = try recovery.replaceFile()
            }
            do { return try repeatingIfCorrupt(openChecked) } catch let error as DatabaseError where error.isCorrupt {
                try beforeQuarantine()
            }
            // Another program may have replaced the file meanwhile.
            do { return try openChecked() } catch let error as DatabaseError where error.isCorrupt {
                try recovery.makeCopy(migrator, recover)
            }
            quarantinedFile = try recovery.replaceFile()
            return try openChecked()
        } catch {
            throw failure(error, of: file)
        }
    }

    /// Performs work, and a second time after an error of a damaged file, because SQLite also reports a failed read of the disk as damage.
    package static func repeatingIfCorrupt<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
        do { return try body() } catch let error as DatabaseError where error.isCorrupt { return try body() }
    }

    /// Returns the error to throw to a caller that opens or uses a file.
    package static func failure(_ error: any Error, of file: URL) -> SQLiteFileError {
        if let error = error as? SQLiteFileError { return error }
        return isDiskFull(error, at: file) ? .diskFull(file) : .unavailable(file, cause: error)
    }

    /// Whether an error on a file means that its disk is full or a quota is exceeded.
    package static func isDiskFull(_ error: any Error, at file: URL) -> Bool {
        guard let error = error as? DatabaseError else { return FullDisk.isCause(of: error) }
        return FullDisk.isCause(ofSQLite: error.resultCode.rawValue, in: file.deletingLastPathComponent())
    }

    private static func checked(_ opened: OpenedDatabase, _ checksums: [RowChecksums]) throws -> OpenedDatabase {
        let pool = opened.database
        do {
            let faults = try pool.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
            guard faults == ["ok"] else { throw failure(of: faults.first ?? "") }
            let corruptCount = try pool.read { database in try checksums.reduce(0) { try $0 + $1.corruptCount(in: database) } }
            guard corruptCount == 0 else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return opened
        } catch {
            try? pool.close()
            throw error
        }
    }

    /// Returns the error for a finding of the check.
    ///
    /// An unreadable page is also a finding, which ends with the code of the I/O error; of those, only a short read is damage.
    private static func failure(of finding: String) -> DatabaseError {
        let digits = finding.firstRange(of: "error code=").map { finding[$0.upperBound...].prefix { $0.isNumber } }
        let code = digits.flatMap { Int32($0) }.map { ResultCode(rawValue: $0) }
        guard let code, code != .SQLITE_IOERR_SHORT_READ else { return DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding) }
        return DatabaseError(resultCode: code, message: finding)
    }

    /// Opens a file as `pool` does. On a full disk an existing file is opened with a single connection, whose reads succeed and whose writes throw
    /// `SQLITE_FULL` until there is room.
    ///
    /// - Throws: `DatabaseError`, `SQLiteFileError.newer`.
    package static func database(
        at file: URL, _ migrator: DatabaseMigrator, isDurable: Bool = true, prepare: Preparation? = nil
    ) throws -> OpenedDatabase {
        do {
            let pool = try pool(at: file, migrator, isDurable: isDurable, prepare: prepare)
            // The free space may have been just enough to open the file.
            return OpenedDatabase(database: pool, isDiskFull: FullDisk.isFull(file.deletingLastPathComponent()))
        } catch  where isDiskFull(error, at: file) {
            guard let queue = try? exclusiveQueue(at: file, migrator, prepare: prepare) else { throw error }
            return OpenedDatabase(database: queue, isDiskFull: true)
        }
    }

    /// Opens an existing file with an exclusive connection.
    ///
    /// Its WAL index is in memory; several connections would need a file, and so free space (https://sqlite.org/wal.html#noshm).
    private static func exclusiveQueue(at file: URL, _ migrator: DatabaseMigrator, prepare: Preparation?) throws -> DatabaseQueue {
        ChecksumFile(of: file).remove()
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1")
            try prepare?(database)
        }
        let queue = try DatabaseQueue(path: file.path(percentEncoded: false), configuration: configuration)
        let applied = try queue.read { try migrator.appliedIdentifiers($0) }
        guard applied == Set(migrator.migrations) else { throw DatabaseError(resultCode: .SQLITE_FULL) }
        return queue
    }

    /// Opens a pool of connections to a file and migrates its schema.
    ///
    /// - Parameter isDurable: Whether confirmed writes must survive a power cut.
    /// - Throws: `DatabaseError`, `SQLiteFileError.newer`.
    static func pool(
        at file: URL, _ migrator: DatabaseMigrator, isDurable: Bool = true, prepare: Preparation? = nil
    ) throws -> DatabasePool {
        try checkSchemaVersion(of: file, migrator)
        // SQLite gives its logs the permissions of the file. If the file cannot be created, opening it reports the error.
        try? PrivateFiles.createFile(file)
        ChecksumFile(of: file).remove()
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        if let prepare { configuration.prepareDatabase(prepare) }
        let pool = try DatabasePool(path: file.path(percentEncoded: false), configuration: configuration)
        do {
            // The pool sets `synchronous=NORMAL` when it opens, with which a power cut can lose confirmed writes.
            try pool.writeWithoutTransaction { database in
                if isDurable {
                    try database.execute(sql: "PRAGMA synchronous = FULL")
                    // On Apple platforms an ordinary sync does not flush the drive's cache.
                    try database.execute(sql: "PRAGMA fullfsync = 1")
                    guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else { throw SQLiteFileError.notDurable(file) }
                    // A killed program may have written to the log without a sync. Rows read from it would be confirmed again, so sync it: a
                    // checkpoint starts with a sync of the log. If the checkpoint fails, the log remains.
                    _ = try? database.checkpoint(.passive)
                }
                try database.execute(sql: "PRAGMA journal_size_limit = \(journalSizeLimit)")
            }
            try migrator.migrate(pool)
            return pool
        } catch {
            try? pool.close()
            throw error
        }
    }

    /// Returns the length of the write-ahead log of a file, in bytes; 0 without a log.
    package static func logLength(of file: URL) -> Int {
        var status = stat()
        return stat(file.path(percentEncoded: false) + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    /// Checkpoints the log and closes the file; while another program reads, the log remains. May be called repeatedly.
    package static func close(_ pool: any DatabaseWriter) throws {
        // The pool closes its readers last, and they cannot checkpoint.
        try? pool.writeWithoutTransaction { database in
            // SQLite traps when it is given a closed connection.
            if database.sqliteConnection != nil { _ = try database.checkpoint(.truncate) }
        }
        try pool.close()
    }

    /// Closes a file without other writers, and writes its checksum file.
    package static func closeOwned(_ pool: any DatabaseWriter, of file: URL) throws {
        try close(pool)
        // Without a checksum file the check of the file is only less thorough.
        try? ChecksumFile(of: file).write()
    }

    /// Opens read-only connections to a file that another program uses.
    ///
    /// - Throws: `DatabaseError`, `SQLiteFileError.newer`.
    package static func reader(of file: URL, _ migrator: DatabaseMigrator, prepare: @escaping Preparation) throws -> DatabasePool {
        try checkSchemaVersion(of: file, migrator)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase(prepare)
        return try DatabasePool(path: file.path(percentEncoded: false), configuration: configuration)
    }

    /// Throws if the file has unknown migrations. The connection is read-only, because opening a pool already changes the file.
    static func checkSchemaVersion(of file: URL, _ migrator: DatabaseMigrator) throws {
        let path = file.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else { return }
        // A read-only connection cannot roll back what a killed program left behind while it switched a new file to a write-ahead log.
        let queue = try access(path + "-journal", F_OK) == 0 ? writer(of: path) : StoreCheck.reader(of: file)
        defer { try? queue.close() }
        let unknown = try queue.read { try migrator.appliedIdentifiers($0) }.subtracting(migrator.migrations)
        guard unknown.isEmpty else { throw SQLiteFileError.newer(file) }
    }

    private static func writer(of path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Moves a file and its logs aside; no connection to it may be open.
    ///
    /// - Parameter isReplacing: Whether the file replaces an earlier quarantined one, for content that can be fetched again.
    package static func quarantine(_ file: URL, as suffix: String, cause: any Error, isReplacing: Bool = false) throws -> URL {
        let path = file.path(percentEncoded: false)
        let freeNumber = isReplacing ? 1 : (1...quarantineLimit).first { access(quarantinePath(of: path, suffix, $0), F_OK) != 0 }
        guard let number = freeNumber else { throw SQLiteFileError.unavailable(file, cause: cause) }
        let name = quarantinePath(of: path, suffix, number)
        guard moveLogs(of: path, to: name, isReplacing: isReplacing), rename(path, name) == 0 else {
            // The next start finds the file unchanged.
            for ending in logSuffixes { _ = rename(name + ending, path + ending) }
            throw SQLiteFileError.unavailable(file, cause: cause)
        }
        return URL(filePath: name, directoryHint: .notDirectory)
    }

    /// Returns the file that was quarantined last with a suffix; nil if there is none.
    static func lastQuarantined(_ file: URL, as suffix: String) -> URL? {
        let paths = (1...quarantineLimit).map { quarantinePath(of: file.path(percentEncoded: false), suffix, $0) }
        return paths.last { access($0, F_OK) == 0 }.map { URL(filePath: $0, directoryHint: .notDirectory) }
    }

    private static func quarantinePath(of path: String, _ suffix: String, _ number: Int) -> String { "\(path)-\(suffix)-\(number)" }

    private static let logSuffixes = ["-wal", "-shm"]
    /// The suffixes of the files beside a file: logs, a rollback journal, and a checksum with its draft.
    private static let companionSuffixes = logSuffixes + ["-journal", "-sum", "-sum.part"]

    /// Removes a closed file, the quarantined files that it replaced (`isReplacing`), and the files beside them. Missing files are ignored.
    ///
    /// - Parameter suffixes: The suffixes of the quarantined files.
    /// - Throws: `SQLiteFileError.unavailable`.
    package static func remove(_ file: URL, quarantinedAs suffixes: [String]) throws {
        let path = file.path(percentEncoded: false)
        let paths = [path] + suffixes.map { quarantinePath(of: path, $0, 1) }
        for name in paths.flatMap({ path in companionSuffixes.map { path + $0 } + [path] }) where unlink(name) != 0 && errno != ENOENT {
            throw SQLiteFileError.unavailable(file, cause: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
        }
    }

    /// Moves the logs of a file, so that no other file uses them.
    ///
    /// Without `isReplacing`, a log that exists under the new name was moved by an attempt that failed before it moved the file.
    ///
    /// - Returns: Whether no log remains.
    private static func moveLogs(of path: String, to name: String, isReplacing: Bool) -> Bool {
        for ending in logSuffixes where rename(path + ending, name + ending) != 0 {
            guard errno == ENOENT else { return false }
            if isReplacing { _ = unlink(name + ending) }
        }
        return true
    }
}

extension DatabaseError {
    /// Whether the file is damaged or no database. Other errors may be transient and are no reason to move it.
    package var isCorrupt: Bool {
        resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB
    }

    /// Whether a later attempt may succeed: an I/O error, a full disk, low memory or a lock.
    package var isTransient: Bool { [.SQLITE_IOERR, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_BUSY].contains(resultCode) }

    /// Whether SQLite was interrupted because the current task is cancelled.
    package var isCancellation: Bool { Task.isCancelled && [.SQLITE_INTERRUPT, .SQLITE_ABORT].contains(resultCode) }
}
