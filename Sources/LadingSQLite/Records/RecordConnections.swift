import Foundation
import GRDB
import LadingRecords
import SQLiteFiles
import Synchronization

/// The connections to the file of a record store.
final class RecordConnections: Sendable {
    /// The maximum size of the memory map for searches, in bytes.
    private static let mapLimit = 1 << 30

    /// The cache size of the writing connection, in KiB: enough for the inner nodes of all indexes of a million rows.
    private static let writeCacheSize = 8_192

    let pool: any DatabaseWriter
    /// Whether the file was opened again because it seemed damaged.
    let isRetry: Bool
    /// Whether the disk was full when the file was opened, or the store is in memory for this reason.
    let isDiskFull: Bool
    /// nil for a store in memory.
    private let file: URL?
    private let searchState = Mutex(SearchState())

    private struct SearchState {
        /// nil before the first search.
        var reader: DatabaseQueue?
        var isClosed = false
    }

    private init(pool: any DatabaseWriter, file: URL?, isRetry: Bool = false, isDiskFull: Bool = false) {
        (self.pool, self.file, self.isRetry, self.isDiskFull) = (pool, file, isRetry, isDiskFull)
    }

    /// Opens a file, or quarantines it and opens a new one if it is damaged or newer.
    ///
    /// - Throws: `SQLiteFileError`.
    static func open<Row: PersistableRow>(_ file: URL, of row: Row.Type) throws -> (
        connections: RecordConnections, setAside: QuarantinedFile?
    ) {
        do {
            return (try connections(to: file, of: row), nil)
        } catch {
            guard let reason = QuarantinedFile.Reason(error) else { throw SQLiteFile.failure(error, of: file) }
            if reason == .corrupt, let again = try? connections(to: file, of: row, isRetry: true) { return (again, nil) }
            let quarantined = try SQLiteFile.quarantine(file, as: reason.rawValue, cause: error, isReplacing: true)
            do {
                return (try connections(to: file, of: row), QuarantinedFile(file: quarantined, reason: reason))
            } catch {
                throw SQLiteFile.failure(error, of: file)
            }
        }
    }

    /// Creates an empty database in memory, as if the disk of its file were full.
    static func inMemory<Row: PersistableRow>(of row: Row.Type) throws -> RecordConnections {
        var configuration = Configuration()
        configuration.prepareDatabase(NearestScan.register)
        let queue = try DatabaseQueue(configuration: configuration)
        try RecordTables.migrator.migrate(queue)
        try RecordReindexer<Row>(pool: queue).reindex()
        return RecordConnections(pool: queue, file: nil, isDiskFull: true)
    }

    /// Opens a file that another program owns, for reading only.
    ///
    /// - Throws: `SQLiteFileError`; `SQLiteStoreError.missing`.
    static func reading(_ file: URL) throws -> RecordConnections {
        if access(file.path(percentEncoded: false), F_OK) != 0, errno == ENOENT { throw SQLiteStoreError.missing(file) }
        do {
            return RecordConnections(
                pool: try SQLiteFile.reader(of: file, RecordTables.migrator, prepare: NearestScan.register), file: file)
        } catch let error as SQLiteFileError {
            throw error
        } catch {
            throw SQLiteFileError.unavailable(file, cause: error)
        }
    }

    /// Opens the connections to a file and migrates its schema.
    ///
    /// - Parameter isRetry: Whether the file seemed damaged before. SQLite also reports some disk errors as damage, so a file is quarantined only if
    ///   it seems damaged twice.
    static func connections<Row: PersistableRow>(to file: URL, of row: Row.Type, isRetry: Bool = false) throws -> RecordConnections {
        let opened = try SQLiteFile.database(at: file, RecordTables.migrator, prepare: NearestScan.register)
        let pool = opened.database
        do {
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cache_size = -\(writeCacheSize)") }
            try RecordReindexer<Row>(pool: pool).reindex()
        } catch {
            try? pool.close()
            throw error
        }
        return RecordConnections(pool: pool, file: file, isRetry: isRetry, isDiskFull: opened.isDiskFull)
    }

    /// Returns a separate connection for searches, which maps the file into memory. Searches are serialized.
    ///
    /// - Throws: `DatabaseError`, also after `close`.
    func searchReader() throws -> any DatabaseReader {
        // A full disk allows a single connection.
        guard let file, !isDiskFull else { return pool }
        return try searchState.withLock { state -> any DatabaseReader in
            if let reader = state.reader { return reader }
            guard !state.isClosed else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed") }
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(SQLiteFile.busyTimeout)
            configuration.prepareDatabase { database in
                try NearestScan.register(with: database)
                try database.execute(sql: "PRAGMA mmap_size = \(Self.mapLimit)")
            }
            let opened = try DatabaseQueue(path: file.path(percentEncoded: false), configuration: configuration)
            state.reader = opened
            return opened
        }
    }

    /// Checkpoints the log if it is too long.
    ///
    /// SQLite restarts the log only when there are no readers, which may never happen with many of them. This waits for the current ones, each of
    /// which reads one page.
    func checkpoint(ifLogExceeds limit: Int) async throws {
        guard let file, SQLiteFile.logLength(of: file) > limit else { return }
        try await pool.writeWithoutTransaction { database in
            do { try database.checkpoint(.truncate) } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // A reader uses an old snapshot; the next write tries again.
            }
        }
    }

    func close() throws {
        try searchState.withLock { state in
            state.isClosed = true
            try state.reader?.close()
            state.reader = nil
        }
        guard let file, !pool.configuration.readonly else { return try SQLiteFile.close(pool) }
        try SQLiteFile.closeOwned(pool, of: file)
    }
}

extension QuarantinedFile.Reason {
    /// Creates the reason for an error; nil if the error does not justify moving the file.
    init?(_ error: any Error) {
        switch error {
        case SQLiteFileError.newer: self = .newer
        case let error as DatabaseError where error.isCorrupt: self = .corrupt
        default: return nil
        }
    }
}
