import DiskSpace
import FileChecksums
import FilePermissions
import Foundation
import GRDB

/// A database in a file that is there to stay: opened durably, refused when it is newer, set aside when it is damaged.
enum SQLiteFile {
    /// How long a write waits for another program, in seconds.
    static let busyTimeout = 5.0
    /// What the write-ahead log shrinks back to, in bytes.
    private static let journalSizeLimit = 4 << 20
    /// How many files that were set aside are kept beside one another.
    private static let damagedLimit = 100

    /// What is done to each connection before it is used.
    typealias Preparation = @Sendable (Database) throws -> Void

    /// A database, and whether its disk was full when it was opened.
    struct Opened {
        let database: any DatabaseWriter
        var isDiskFull = false
    }

    /// Opens a file for a journal: it is short enough to be checked first, page by page.
    ///
    /// - Parameters:
    ///   - checksums: Those of the tables in which one damaged row counts as a damaged file.
    ///   - readsOnFullDisk: Whether a file that is there is opened although its disk is full. Other programs cannot open it meanwhile.
    /// - Throws: `SQLiteJournalError`.
    static func open(
        _ file: URL, migrator: DatabaseMigrator, checksums: [RowChecksums] = [], readsOnFullDisk: Bool = false
    ) throws -> (opened: Opened, setAside: URL?) {
        do {
            let opened = try readsOnFullDisk ? database(at: file, migrator) : Opened(database: pool(at: file, migrator))
            return (try checked(opened, checksums), nil)
        } catch let error as DatabaseError where error.isDamage {
            let damaged = try setAside(file, as: "damaged", because: error)
            do { return (Opened(database: try pool(at: file, migrator)), damaged) } catch {
                // The next start tries again.
                putBack(damaged, as: file)
                throw failure(error, of: file)
            }
        } catch {
            throw failure(error, of: file)
        }
    }

    /// Maps an error at the opening of a file to the one that is thrown.
    static func failure(_ error: any Error, of file: URL) -> SQLiteJournalError {
        if let error = error as? SQLiteJournalError { return error }
        return isDiskFull(error, at: file) ? .diskFull(file) : .unusable(file, cause: error)
    }

    /// Whether an error on a file means that its disk is full, or a quota used up.
    static func isDiskFull(_ error: any Error, at file: URL) -> Bool {
        guard let error = error as? DatabaseError else { return FullDisk.isCause(of: error) }
        return FullDisk.isCause(ofSQLite: error.resultCode.rawValue, in: file.deletingLastPathComponent())
    }

    private static func checked(_ opened: Opened, _ checksums: [RowChecksums]) throws -> Opened {
        let pool = opened.database
        do {
            let faults = try pool.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
            guard faults == ["ok"] else { throw failure(of: faults.first ?? "") }
            let damagedCount = try pool.read { database in try checksums.reduce(0) { try $0 + $1.damagedCount(in: database) } }
            guard damagedCount == 0 else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return opened
        } catch {
            try? pool.close()
            throw error
        }
    }

    /// The error that a finding of the check stands for.
    ///
    /// A page that the disk did not give is a finding too, with the code of the error at its end; only a file that is too short is damaged.
    private static func failure(of finding: String) -> DatabaseError {
        let digits = finding.firstRange(of: "error code=").map { finding[$0.upperBound...].prefix { $0.isNumber } }
        let code = digits.flatMap { Int32($0) }.map { ResultCode(rawValue: $0) }
        guard let code, code != .SQLITE_IOERR_SHORT_READ else { return DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding) }
        return DatabaseError(resultCode: code, message: finding)
    }

    /// Opens a file as `pool` does. On a full disk a file that is there is opened nevertheless, by a single connection: it reads what is there, and
    /// what writes to it throws `SQLITE_FULL` until there is room.
    ///
    /// - Throws: What SQLite says, and `SQLiteJournalError.newer`.
    static func database(
        at file: URL, _ migrator: DatabaseMigrator, isDurable: Bool = true, prepare: Preparation? = nil
    ) throws -> Opened {
        do {
            let pool = try pool(at: file, migrator, isDurable: isDurable, prepare: prepare)
            // What is left beside a file can be enough to open it.
            return Opened(database: pool, isDiskFull: FullDisk.isFull(file.deletingLastPathComponent()))
        } catch  where isDiskFull(error, at: file) {
            guard let queue = try? exclusiveQueue(at: file, migrator, prepare: prepare) else { throw error }
            return Opened(database: queue, isDiskFull: true)
        }
    }

    /// The only connection to a file that is there.
    ///
    /// The index of its log is in memory: for other connections it would be in a file, which takes room (https://sqlite.org/wal.html#noshm).
    private static func exclusiveQueue(at file: URL, _ migrator: DatabaseMigrator, prepare: Preparation?) throws -> DatabaseQueue {
        ClosedFileSum(of: file).remove()
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

    /// - Parameter isDurable: Whether a power cut may take back nothing that was confirmed.
    /// - Throws: What SQLite says, and `SQLiteJournalError.newer`.
    static func pool(
        at file: URL, _ migrator: DatabaseMigrator, isDurable: Bool = true, prepare: Preparation? = nil
    ) throws -> DatabasePool {
        try refuseNewerSchema(of: file, migrator)
        // SQLite gives its logs the permissions of the file. Where there can be no file, it says why.
        try? PrivateFiles.createFile(file)
        ClosedFileSum(of: file).remove()
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        if let prepare { configuration.prepareDatabase(prepare) }
        let pool = try DatabasePool(path: file.path(percentEncoded: false), configuration: configuration)
        do {
            // The pool chooses `synchronous=NORMAL` when it opens, with which a power cut can take back what was confirmed.
            try pool.writeWithoutTransaction { database in
                if isDurable {
                    try database.execute(sql: "PRAGMA synchronous = FULL")
                    // On Apple's platforms a usual sync leaves the cache of the drive as it is.
                    try database.execute(sql: "PRAGMA fullfsync = 1")
                    guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else { throw SQLiteJournalError.unsafe(file) }
                    // A program that was killed may have written to the log and not synced it. What is read of it now would be confirmed again, and a
                    // checkpoint begins with a sync of the log. Where it cannot be folded into the file, it stays.
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

    /// Moves everything from the log into the file, and closes it; while another program reads, the log keeps what is in it. May be repeated.
    static func close(_ pool: any DatabaseWriter) throws {
        // The pool closes its readers last, and they cannot fold the log into the file.
        try? pool.writeWithoutTransaction { database in
            // SQLite ends the process when it is given a closed connection.
            if database.sqliteConnection != nil { _ = try database.checkpoint(.truncate) }
        }
        try pool.close()
    }

    /// Does the same for a file that no other program writes to, and writes its checksum beside it.
    static func closeOwned(_ pool: any DatabaseWriter, of file: URL) throws {
        try close(pool)
        // Without it the file is only checked less.
        try? ClosedFileSum(of: file).write()
    }

    /// Connections that cannot write, to a file that another program has open.
    ///
    /// - Throws: What SQLite says, and `SQLiteJournalError.newer`.
    static func reader(of file: URL, _ migrator: DatabaseMigrator, prepare: @escaping Preparation) throws -> DatabasePool {
        try refuseNewerSchema(of: file, migrator)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase(prepare)
        return try DatabasePool(path: file.path(percentEncoded: false), configuration: configuration)
    }

    /// Looks through a connection that cannot write, because opening a pool already changes the file.
    static func refuseNewerSchema(of file: URL, _ migrator: DatabaseMigrator) throws {
        let path = file.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        let unknown = try queue.read { try migrator.appliedIdentifiers($0) }.subtracting(migrator.migrations)
        guard unknown.isEmpty else { throw SQLiteJournalError.newer(file) }
    }

    /// Moves the file and its logs out of the way; no connection to it may be open.
    ///
    /// - Parameter isReplacing: Whether it takes the place of the one that was set aside before: for what can be fetched again.
    static func setAside(_ file: URL, as ending: String, because cause: any Error, isReplacing: Bool = false) throws -> URL {
        let path = file.path(percentEncoded: false)
        let free = isReplacing ? 1 : (1...damagedLimit).first { access("\(path)-\(ending)-\($0)", F_OK) != 0 }
        guard let number = free else { throw SQLiteJournalError.unusable(file, cause: cause) }
        let name = "\(path)-\(ending)-\(number)"
        guard moveLogs(of: path, to: name, isReplacing: isReplacing), rename(path, name) == 0 else {
            // The next start finds the file as it was.
            for ending in logEndings { _ = rename(name + ending, path + ending) }
            throw SQLiteJournalError.unusable(file, cause: cause)
        }
        return URL(filePath: name, directoryHint: .notDirectory)
    }

    private static let logEndings = ["-wal", "-shm"]

    /// Moves the logs of a file, so that none is taken for that of another file.
    ///
    /// Where no file is replaced, a log that lies at the new name already was moved by an attempt that did not get to the file.
    ///
    /// - Returns: Whether none is left.
    private static func moveLogs(of path: String, to name: String, isReplacing: Bool) -> Bool {
        for ending in logEndings where rename(path + ending, name + ending) != 0 {
            guard errno == ENOENT else { return false }
            if isReplacing { _ = unlink(name + ending) }
        }
        return true
    }
}

extension SQLiteFile {
    /// Undoes `setAside`; no connection to either file may be open.
    static func putBack(_ damaged: URL, as file: URL) {
        for ending in ["", "-wal", "-shm"] {
            let path = file.path(percentEncoded: false) + ending
            _ = unlink(path)
            _ = rename(damaged.path(percentEncoded: false) + ending, path)
        }
    }
}

extension DatabaseError {
    /// Whether the file is no database, or a broken one; everything else may pass, and is no reason to move it.
    var isDamage: Bool {
        resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB
    }

    /// Whether the file may be read another time: the disk failed, or there was no room or no memory.
    var mayPass: Bool { [.SQLITE_IOERR, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_BUSY].contains(resultCode) }
}
