import DiskSpace
import FileChecksums
import FilePermissions
import Foundation
import GRDB

/// The database of an origin, on disk or in memory.
///
/// A file written by a later release is refused before anything in it changes. Committed writes survive a power failure.
struct OriginDatabase: Sendable {
    static let fileName = "origin.sqlite"

    /// The time that a write waits for other connections, in seconds.
    private static let busyTimeout = 5.0
    /// The size to which the write-ahead log is truncated, in bytes.
    private static let journalSizeLimit = 16 << 20
    /// The size of the page cache of a connection, in KiB. SQLite's own 2 MiB are less than a search among 100,000 orders reads, so each would read the
    /// file again.
    private static let cacheSize = 8_192

    let writer: any DatabaseWriter
    /// The database file; nil in memory.
    let file: URL?
    /// Whether the database replaces one on a full disk. Favourites are refused then, because they would be lost.
    var isReplacement = false

    /// Opens an empty database in memory.
    init() throws(OriginError) {
        try self.init(file: nil, { _ in }) { try DatabaseQueue() }
    }

    /// Opens or creates the database in a directory that the caller owns.
    ///
    /// On a full disk an existing database is opened for reading: writes throw `SQLITE_FULL` until there is space.
    ///
    /// - Parameter onProgress: Called while a database of an earlier release is upgraded.
    init(in directory: URL, onProgress: @escaping @Sendable (SetupProgress) -> Void = { _ in }) throws(OriginError) {
        let file = directory.appending(path: Self.fileName)
        try self.init(file: file, onProgress) { try Self.writer(at: file) }
    }

    /// Whether the disk is full, or was when the file was opened.
    var isDiskFull: Bool {
        guard let file else { return false }
        return writer is DatabaseQueue || FullDisk.isFull(file.deletingLastPathComponent())
    }

    private init(
        file: URL?, _ onProgress: @escaping @Sendable (SetupProgress) -> Void, open: () throws -> any DatabaseWriter
    ) throws(OriginError) {
        self.file = file
        do {
            writer = try open()
            try Self.migrator(onProgress).migrate(writer)
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
        try checkSchemaVersion(of: file)
        // SQLite gives its logs the permissions of the file. If creation fails, SQLite reports the reason.
        try? PrivateFiles.createFile(file)
        ChecksumFile(of: file).remove()
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(cacheSize)") }
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        try makeDurable(pool)
        return pool
    }

    static func originError(_ error: any Error, file: URL?) -> OriginError {
        error as? OriginError ?? .databaseUnavailable(file, cause: error)
    }

    /// Closes the database while another process uses it, or has used it: the checksum file that it may have written is removed.
    func closeBesideOwner() throws {
        defer { if let file { ChecksumFile(of: file).remove() } }
        try writer.close()
    }

    /// Checkpoints the log, closes the database, and writes a checksum file beside it.
    func close() throws {
        // A pool closes its readers last, and these cannot checkpoint.
        try? writer.writeWithoutTransaction { database in
            // A closed connection would crash SQLite.
            if database.sqliteConnection != nil { _ = try database.checkpoint(.truncate) }
        }
        try writer.close()
        // The checksum is optional: without it the file is checked less thoroughly.
        if let file { try? ChecksumFile(of: file).write() }
    }
}

// MARK: - Opening

extension OriginDatabase {
    /// Throws if the file has unknown migrations. It reads through a read-only connection, because opening a pool already changes the file.
    private static func checkSchemaVersion(of file: URL) throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        defer { try? queue.close() }
        let migrator = migrator()
        let applied = try queue.read { try migrator.appliedIdentifiers($0) }
        let unknown = applied.subtracting(migrator.migrations)
        guard unknown.isEmpty else { throw OriginError.newerSchema(file, migrations: unknown.sorted()) }
    }

    /// Opens an existing file with an exclusive connection.
    ///
    /// This stores the index of the log in memory instead of in a file, which would need disk space (https://sqlite.org/wal.html#noshm).
    private static func exclusiveQueue(at file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL") }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        let migrator = migrator()
        let applied = try queue.read { try migrator.appliedIdentifiers($0) }
        guard applied == Set(migrator.migrations) else { throw DatabaseError(resultCode: .SQLITE_FULL) }
        return queue
    }

    /// Sets `synchronous=FULL`: the pool's default `NORMAL` can lose committed writes in a power failure.
    private static func makeDurable(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // Syncs writes that a killed process has not synced, by a checkpoint: repeated idempotency keys confirm them again.
            _ = try? database.checkpoint(.passive)
            try database.execute(sql: "PRAGMA journal_size_limit = \(journalSizeLimit)")
        }
    }
}
