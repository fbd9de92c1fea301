import DiskSpace
import FileChecksums
import FilePermissions
import Foundation
import GRDB

/// The data of an origin on disk, or in memory.
///
/// A file written by a later release is refused before anything in it changes. What was confirmed survives a power cut.
struct OriginDatabase: Sendable {
    static let fileName = "origin.sqlite"

    /// How long a write waits for another connection, in seconds.
    private static let busyTimeout = 5.0
    /// What the write-ahead log shrinks back to, in bytes.
    private static let journalSizeLimit = 16 << 20

    let writer: any DatabaseWriter
    /// Nil in memory.
    let file: URL?

    /// Opens an empty database in memory.
    init() throws(OriginError) {
        try self.init(file: nil) { try DatabaseQueue() }
    }

    /// Opens or creates the database in a directory that the caller owns.
    ///
    /// On a full disk a database that is there is opened nevertheless, to be read: what writes to it throws `SQLITE_FULL` until there is room.
    init(in directory: URL) throws(OriginError) {
        let file = directory.appending(path: Self.fileName)
        try self.init(file: file) { try Self.writer(at: file) }
    }

    /// Whether the disk is full, or was when the file was opened.
    var isDiskFull: Bool {
        guard let file else { return false }
        return writer is DatabaseQueue || FullDisk.isFull(file.deletingLastPathComponent())
    }

    private init(file: URL?, open: () throws -> any DatabaseWriter) throws(OriginError) {
        self.file = file
        do {
            writer = try open()
            try Self.migrator.migrate(writer)
        } catch {
            throw Self.originError(error, file: file)
        }
    }

    private static func writer(at file: URL) throws -> any DatabaseWriter {
        do {
            return try pool(at: file)
        } catch  where InsufficientStorage.isCause(of: error, in: file.deletingLastPathComponent()) {
            guard let queue = try? exclusiveQueue(at: file) else { throw error }
            return queue
        }
    }

    private static func pool(at file: URL) throws -> DatabasePool {
        try rejectNewerSchema(of: file)
        // SQLite gives its logs the permissions of the file. Where there can be no file, it says why.
        try? PrivateFiles.createFile(file)
        ChecksumSidecar(of: file).remove()
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        try makeDurable(pool)
        return pool
    }

    static func originError(_ error: any Error, file: URL?) -> OriginError {
        error as? OriginError ?? .databaseUnusable(file, cause: error)
    }

    /// Moves everything from the log into the file, closes it, and writes its checksum beside it.
    func close() throws {
        // A pool closes its readers last, and they cannot fold the log into the file.
        try? writer.writeWithoutTransaction { database in
            // SQLite ends the process when it is given a closed connection.
            if database.sqliteConnection != nil { _ = try database.checkpoint(.truncate) }
        }
        try writer.close()
        // Without it the file is only checked less.
        if let file { try? ChecksumSidecar(of: file).write() }
    }
}

// MARK: - Opening

extension OriginDatabase {
    /// Looks through a connection that cannot write, because opening a pool already changes the file.
    private static func rejectNewerSchema(of file: URL) throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        defer { try? queue.close() }
        let applied = try queue.read { try migrator.appliedIdentifiers($0) }
        let unknown = applied.subtracting(migrator.migrations)
        guard unknown.isEmpty else { throw OriginError.newerSchema(file, migrations: unknown.sorted()) }
    }

    /// The only connection to a file that is there.
    ///
    /// The index of its log is in memory: for other connections it would be in a file, which takes room (https://sqlite.org/wal.html#noshm).
    private static func exclusiveQueue(at file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL") }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        let applied = try queue.read { try migrator.appliedIdentifiers($0) }
        guard applied == Set(migrator.migrations) else { throw DatabaseError(resultCode: .SQLITE_FULL) }
        return queue
    }

    /// The pool chooses `synchronous=NORMAL` on its own when it opens, which can lose confirmed writes in a power cut.
    private static func makeDurable(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // What a killed origin has written and not synced is confirmed again when its key comes again: a checkpoint begins with a sync of the log.
            _ = try? database.checkpoint(.passive)
            try database.execute(sql: "PRAGMA journal_size_limit = \(journalSizeLimit)")
        }
    }
}
