import DiskSpace
import FileChecksums
import FilePermissions
import Foundation
import GRDB
import SQLiteFiles

/// The database of an origin, on disk or in memory.
///
/// A file written by a later release is refused before anything in it changes. Committed writes survive a power failure.
struct OriginDatabase: Sendable {
    static let fileName = "origin.sqlite"

    /// The time that a write waits for other connections, in seconds.
    private static let busyTimeout = 5.0
    /// The size to which SQLite shortens a write-ahead log that it starts again, in bytes.
    private static let journalSizeLimit = 16 << 20
    /// The size of the write-ahead log beyond which a commit truncates it, in bytes.
    static let logLimit = 64 << 20
    /// The size of the page cache of a connection, in KiB. SQLite's own 2 MiB are less than a search among 100,000 orders reads, so each would read the
    /// file again.
    private static let cacheSize = 8_192

    /// The maximum size of a file whose checksum is written, in bytes. With months of photos a clean stop would read the disk for minutes.
    static let checksumLimit = 256 << 20

    let writer: any DatabaseWriter
    /// The database file; nil in memory.
    let file: URL?
    /// Whether the database replaces one on a full disk. Favourites are refused then, because they would be lost.
    var isReplacement = false

    /// Opens an empty database in memory.
    init() throws(OriginError) {
        try self.init(file: nil) {
            let queue = try DatabaseQueue()
            try Self.migrator().migrate(queue)
            return queue
        }
    }

    /// Opens or creates the database in a directory.
    ///
    /// On a full disk an existing database is opened for reading: writes throw `SQLITE_FULL` until there is space.
    ///
    /// - Parameters:
    ///   - isOwner: Whether the caller has locked the directory. Tables are not changed beside another owner, which may be older.
    ///   - logLimit: The size of the write-ahead log beyond which a commit truncates it, in bytes.
    ///   - onProgress: Called while a database of an earlier release is upgraded.
    init(
        in directory: URL, isOwner: Bool = true, logLimit: Int = OriginDatabase.logLimit,
        onProgress: @escaping @Sendable (SetupProgress) -> Void = { _ in }
    ) throws(OriginError) {
        let file = directory.appending(path: Self.fileName)
        try self.init(file: file) { try Self.writer(at: file, isOwner: isOwner, logLimit: logLimit, Self.migrator(onProgress)) }
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
        } catch {
            throw Self.originError(error, file: file)
        }
    }

    private static func writer(
        at file: URL, isOwner: Bool, logLimit: Int, _ migrator: DatabaseMigrator
    ) throws -> any DatabaseWriter {
        do {
            return try pool(at: file, isOwner: isOwner, logLimit: logLimit, migrator)
        } catch  where InsufficientStorage.isCause(of: error, in: file.deletingLastPathComponent()) {
            guard let queue = try? exclusiveQueue(at: file), (try? appliedMigrations(in: queue)) == Set(migrator.migrations) else {
                throw error
            }
            return queue
        }
    }

    private static func pool(at file: URL, isOwner: Bool, logLimit: Int, _ migrator: DatabaseMigrator) throws -> DatabasePool {
        try checkSchemaVersion(of: file, isOwner: isOwner)
        // SQLite gives its logs the permissions of the file. If creation fails, SQLite reports the reason.
        try? PrivateFiles.createFile(file)
        ChecksumFile(of: file).remove()
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(cacheSize)") }
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        do {
            try makeDurable(pool)
            pool.add(transactionObserver: LogTruncation(of: file, limit: logLimit), extent: .databaseLifetime)
            try migrator.migrate(pool)
            return pool
        } catch {
            try? pool.close()
            throw error
        }
    }

    static func originError(_ error: any Error, file: URL?) -> OriginError {
        if let error = error as? OriginError { return error }
        if let file, InsufficientStorage.isCause(of: error, in: file.deletingLastPathComponent()) { return .diskFull(file) }
        return .databaseUnavailable(file, cause: error)
    }

    /// Closes the database while another process uses it, or has used it: the checksum file that it may have written is removed.
    func closeBesideOwner() throws {
        defer { if let file { ChecksumFile(of: file).remove() } }
        try writer.close()
    }

    /// Checkpoints the log, closes the database, and writes a checksum file beside it.
    ///
    /// - Parameter checksumLimit: The size of the file beyond which it gets no checksum, in bytes.
    func close(checksumLimit: Int = OriginDatabase.checksumLimit) throws {
        // A pool closes its readers last, and these cannot checkpoint.
        try? writer.writeWithoutTransaction { database in
            // A closed connection would crash SQLite.
            if database.sqliteConnection != nil { _ = try database.checkpoint(.truncate) }
        }
        try writer.close()
        // The checksum is optional: without it the file is checked less thoroughly.
        if let file, let size = Self.size(of: file), size <= checksumLimit { try? ChecksumFile(of: file).write() }
    }
}

// MARK: - Stored rows

extension OriginDatabase {
    /// Whether orders, deliveries or people are stored.
    func hasRows() async throws(OriginError) -> Bool {
        let conditions = ["orders", "deliveries", "people"].map { "EXISTS (SELECT 1 FROM \($0))" }
        let sql = "SELECT \(conditions.joined(separator: " OR "))"
        do {
            return try await writer.read { try Bool.fetchOne($0, sql: sql) } ?? false
        } catch {
            throw Self.originError(error, file: file)
        }
    }

    /// Returns the date of the last change of the demo's rows in a table; nil if they were never stored.
    func date(of table: DemoMetadata.Table) async throws(OriginError) -> Date? {
        do {
            return try await writer.read { try DemoMetadata.fetchOne(in: table, $0)?.date }
        } catch {
            throw Self.originError(error, file: file)
        }
    }
}

// MARK: - Opening

extension OriginDatabase {
    /// Whether a directory has a database.
    ///
    /// - Throws: `POSIXError` if that is not known, such as without permission to open the directory.
    static func exists(in directory: URL) throws(POSIXError) -> Bool {
        guard access(directory.appending(path: fileName).path(percentEncoded: false), F_OK) != 0 else { return true }
        let code = POSIXErrorCode(rawValue: errno) ?? .EIO
        guard code == .ENOENT else { throw POSIXError(code) }
        return false
    }

    /// Whether the directory has a database with tables, or one that cannot be read.
    static func hasTables(in directory: URL) -> Bool {
        let file = directory.appending(path: fileName)
        guard let size = Self.size(of: file), size > 0 else { return false }
        guard let queue = try? exclusiveQueue(at: file) else { return true }
        defer { try? queue.close() }
        return (try? appliedMigrations(in: queue))?.isEmpty != true
    }

    private static func size(of file: URL) -> Int? {
        try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    }

    /// Throws if the file has unknown migrations, or lacks some that only the owner may apply.
    ///
    /// It reads through a read-only connection, because opening a pool already changes the file.
    private static func checkSchemaVersion(of file: URL, isOwner: Bool) throws {
        var applied: Set<String> = []
        if FileManager.default.fileExists(atPath: file.path) {
            let reader = try StoreCheck.reader(of: file)
            defer { try? reader.close() }
            applied = try appliedMigrations(in: reader)
        }
        let known = Set(migrator().migrations)
        let unknown = applied.subtracting(known)
        guard unknown.isEmpty else { throw OriginError.newerSchema(file, migrations: unknown.sorted()) }
        guard isOwner || applied == known else { throw OriginError.earlierSchema(file) }
    }

    private static func appliedMigrations(in reader: some DatabaseReader) throws -> Set<String> {
        let migrator = migrator()
        return try reader.read { try migrator.appliedIdentifiers($0) }
    }

    /// Opens an existing file with an exclusive connection.
    ///
    /// This stores the index of the log in memory instead of in a file, which would need disk space (https://sqlite.org/wal.html#noshm).
    private static func exclusiveQueue(at file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1")
        }
        return try DatabaseQueue(path: file.path, configuration: configuration)
    }

    /// Sets `synchronous=FULL`: the pool's default `NORMAL` can lose committed writes in a power failure.
    private static func makeDurable(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { database in
            // On Apple platforms an ordinary sync does not flush the cache of the drive.
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1")
            // Syncs writes that a killed process has not synced, by a checkpoint: repeated idempotency keys confirm them again.
            _ = try? database.checkpoint(.passive)
            try database.execute(sql: "PRAGMA journal_size_limit = \(journalSizeLimit)")
        }
    }
}
