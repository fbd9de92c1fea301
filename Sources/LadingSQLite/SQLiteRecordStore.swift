public import Foundation
import GRDB
public import LadingRecords
import SQLiteFiles
import Synchronization

/// A durable store of the rows of one list of one user in a SQLite file.
///
/// ```swift
/// let file = SQLiteRecordStore<Parcel>.file(for: "parcels", of: user, in: directory)
/// let store = try SQLiteRecordStore<Parcel>(at: file)
/// let first = try await store.records(RecordQuery(search: "lamp"), from: .first, limit: 20)
/// ```
///
/// A page that `store` has confirmed survives a power cut. Each list of each user has its own file, so that lists never share rows and signing out
/// removes a file (`removeFiles(at:)`). A file has one owner; other programs may read it, and do not receive its changes.
///
/// A file that is damaged or was written by a later release is quarantined under another name, where it replaces an earlier one, and replaced by a new
/// one, as `quarantinedFile` reports. This also applies to damage that is detected later. No other error moves a file.
///
/// Functions throw `SQLiteStoreError` when the file cannot be read or written, on a full disk for instance, or when a damaged file cannot be
/// replaced.
public final class SQLiteRecordStore<Row: PersistableRow>: RecordStore {
    private struct State {
        var connections: RecordConnections
        var quarantinedFile: QuarantinedFile?
        var isClosed = false
        /// The callers that wait until a damaged file has been replaced; nil if none is being replaced.
        var waiters: [CheckedContinuation<Void, Never>]?
    }

    /// The length of the write-ahead log in bytes beyond which it is checkpointed.
    private static var logLimit: Int { 16 << 20 }

    private let file: URL
    /// Whether the store may write the file, and move it if it is damaged.
    private let isOwned: Bool
    private let now: @Sendable () -> Date
    private let broadcaster = RecordChangeBroadcaster<Row.ID>()
    private let state: Mutex<State>

    /// Opens or creates the file in an existing folder. On a full disk an existing file is opened for reading.
    ///
    /// Rows that were indexed with another `PersistableRow.indexVersion` are reindexed first. It blocks the thread until the file is opened and
    /// migrated, and all rows are reindexed: milliseconds as a rule, many seconds for a million rows. Call it off the main actor.
    ///
    /// - Parameter now: Returns the date that is stored with rows.
    /// - Throws: `SQLiteStoreError`.
    public init(at file: URL, now: @escaping @Sendable () -> Date = { Date() }) throws {
        (self.file, self.now, isOwned) = (file, now, true)
        let opened = try SQLiteStoreError.converting { try RecordConnections.open(file, of: Row.self) }
        state = Mutex(State(connections: opened.connections, quarantinedFile: opened.setAside))
    }

    /// Creates an empty store in memory, for previews and in place of a file that a full disk has no room for (`SQLiteStoreError.diskFull`).
    ///
    /// Its rows are searched and sorted like those of a file, and are lost with the store.
    /// - Parameters:
    ///   - file: The file that errors name. It is neither read nor created.
    ///   - now: Returns the date that is stored with rows.
    /// - Throws: `SQLiteStoreError`.
    public init(inMemoryReplacing file: URL, now: @escaping @Sendable () -> Date = { Date() }) throws {
        (self.file, self.now, isOwned) = (file, now, false)
        let connections = try SQLiteStoreError.converting {
            do { return try RecordConnections.inMemory(of: Row.self) } catch { throw SQLiteFile.failure(error, of: file) }
        }
        state = Mutex(State(connections: connections))
    }

    /// Opens a file that another program owns, for reading only. Damage throws an error. It blocks the thread until the file is opened.
    ///
    /// - Throws: `SQLiteStoreError`: `missing` if the other program has not created the file yet.
    public init(reading file: URL) throws {
        (self.file, now, isOwned) = (file, { .distantPast }, false)
        state = Mutex(State(connections: try SQLiteStoreError.converting { try RecordConnections.reading(file) }))
    }

    /// Whether the disk was full when the store was opened: stored rows are readable, and a store in memory writes no file.
    package var isDiskFull: Bool { connections.isDiskFull }

    /// The file that was last quarantined, with the reason; nil if none was.
    public var quarantinedFile: QuarantinedFile? { state.withLock { $0.quarantinedFile } }

    /// Closes the file and ends the subscriptions. The store must not be used afterwards.
    ///
    /// It blocks the thread while the log is written to the file, and the whole file is read for its checksum: seconds for a large file. A program
    /// that ends or is suspended without closing loses no confirmed write, only the checksum.
    /// - Throws: `SQLiteStoreError` when SQLite cannot close the file.
    public func close() throws {
        let connections = state.withLock { state in
            state.isClosed = true
            return state.connections
        }
        broadcaster.finish()
        do { try connections.close() } catch let error as DatabaseError { throw SQLiteStoreError.failure(error, of: file) }
    }

    // MARK: Writing

    public nonisolated(nonsending) func store(_ page: RecordPage<Row>) async throws -> WriteResult {
        let entries = try page.rows.map(EncodedRecord.init)
        let time = now()
        let (result, change) = try await write { database in
            var writer = RecordWriter<Row>(database)
            let result = try writer.store(page, entries, at: time)
            return (result, writer.change)
        }
        broadcaster.send(change)
        return result
    }

    public nonisolated(nonsending) func put(_ rows: [Row]) async throws {
        guard !rows.isEmpty else { return }
        let (entries, time) = (try rows.map(EncodedRecord.init), now())
        try await write { database in
            var writer = RecordWriter<Row>(database)
            try writer.put(entries, at: time)
        }
        broadcaster.send(RecordChange(ids: rows.map(\.id)))
    }

    public nonisolated(nonsending) func remove(_ ids: [Row.ID]) async throws {
        guard !ids.isEmpty else { return }
        let texts = ids.map(Row.storageKey(of:))
        try await write { database in
            var writer = RecordWriter<Row>(database)
            try writer.remove(texts)
        }
        broadcaster.send(RecordChange(ids: ids))
    }

    public nonisolated(nonsending) func trim(toBytes limit: Int) async throws {
        let isChanged = try await write { database in
            var writer = RecordWriter<Row>(database)
            return try writer.trim(toBytes: limit)
        }
        if isChanged { broadcaster.send(.all) }
    }

    public nonisolated(nonsending) func setLocalChange(_ value: Data?, named name: String, of id: Row.ID) async throws {
        let text = Row.storageKey(of: id)
        let change = try await write { database in
            if let value {
                try database.execute(
                    sql: "INSERT INTO changes VALUES (?, ?, ?) ON CONFLICT (id, name) DO UPDATE SET value = excluded.value",
                    arguments: [text, name, value])
            } else {
                try database.execute(sql: "DELETE FROM changes WHERE id = ? AND name = ?", arguments: [text, name])
            }
            let place = try Int.fetchOne(database, sql: "SELECT place FROM records WHERE id = ?", arguments: [text])
            return RecordChange(localChangeOf: id, at: place)
        }
        broadcaster.send(change)
    }

    public nonisolated(nonsending) func removeAll() async throws {
        try await write { try $0.execute(sql: RecordTables.clear) }
        broadcaster.send(.all)
    }

    // MARK: Reading

    public nonisolated(nonsending) func loadedRanges() async throws -> [LoadedRange] {
        try await read { try RecordReader<Row>(database: $0).loadedRanges() }
    }

    public nonisolated(nonsending) func records(_ query: RecordQuery, from start: ResultCursor, limit: Int) async throws -> RecordSlice<Row>
    {
        let limit = max(0, min(limit, Self.readLimit))
        return try await read(searching: !query.words.isEmpty) { database in
            try RecordReader(database: database).records(query, from: start, limit: limit)
        }
    }

    public nonisolated(nonsending) func records(in places: Range<Int>) async throws -> RecordSlice<Row> {
        try await read { try RecordReader(database: $0).records(in: places, limit: Self.readLimit) }
    }

    public nonisolated(nonsending) func record(of id: Row.ID) async throws -> StoredRecord<Row>? {
        let id = Row.storageKey(of: id)
        return try await read { try RecordReader(database: $0).record(of: id) }
    }

    public nonisolated(nonsending) func records(of ids: [Row.ID]) async throws -> RecordSlice<Row> {
        let texts = ids.map(Row.storageKey(of:))
        return try await read { try RecordReader(database: $0).records(of: texts) }
    }

    public nonisolated(nonsending) func count(_ query: RecordQuery) async throws -> Int {
        try await read(searching: !query.words.isEmpty) { try RecordReader<Row>(database: $0).count(query) }
    }

    public func changes() -> RecordChanges<Row.ID> { broadcaster.changes() }
}

// MARK: - Connections

extension SQLiteRecordStore {
    /// The `synchronous` setting of SQLite; 2 is FULL.
    package var synchronous: Int? {
        get throws { try connections.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } }
    }

    private var connections: RecordConnections { state.withLock { $0.connections } }

    private func write<Outcome: Sendable>(_ body: @escaping @Sendable (Database) throws -> Outcome) async throws -> Outcome {
        do {
            return try await recoveringIfCorrupt { connections in
                let outcome = try await connections.pool.write(body)
                // The commit succeeded, even if the log could not be checkpointed.
                try? await connections.checkpoint(ifLogExceeds: Self.logLimit)
                return outcome
            }
        } catch let error as DatabaseError {
            throw SQLiteStoreError.failure(error, of: file)
        }
    }

    /// Reads from the database; a damaged file is replaced.
    ///
    /// - Parameter searching: Whether the body reads a large part of the file.
    private func read<Outcome: Sendable>(
        searching: Bool = false, _ body: @escaping @Sendable (Database) throws -> Outcome
    ) async throws -> Outcome {
        do {
            return try await recoveringIfCorrupt { connections in
                try await searching ? connections.searchReader().read(body) : connections.pool.read(body)
            }
        } catch let error as DatabaseError {
            throw SQLiteStoreError.failure(error, of: file)
        }
    }

    /// Performs work with the file. If the file is damaged, it is opened again for another attempt, and then replaced by a new one.
    private func recoveringIfCorrupt<Outcome: Sendable>(_ body: (RecordConnections) async throws -> Outcome) async throws -> Outcome {
        let connections = await currentConnections()
        do {
            return try await body(connections)
        } catch let error as DatabaseError where error.isCorrupt && isOwned {
            try await replace(connections, cause: error)
        } catch {
            // Another caller may have replaced the file and closed these connections.
            guard await currentConnections() !== connections else { throw error }
        }
        let next = await currentConnections()
        do {
            return try await body(next)
        } catch let error as DatabaseError where error.isCorrupt && isOwned && next.isRetry {
            try await replace(next, cause: error)
        }
        return try await body(currentConnections())
    }

    /// Returns the current connections, after a replacement in progress has ended.
    private func currentConnections() async -> RecordConnections {
        let (current, isSettled) = state.withLock { ($0.connections, $0.waiters == nil) }
        if isSettled { return current }
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                state.waiters?.append(continuation)
                return state.waiters == nil
            }
            if isSettled { continuation.resume() }
        }
        return connections
    }

    /// Opens the file again, or quarantines it and creates a new one, unless another caller does so. The lock is not held during file operations.
    private func replace(_ damaged: RecordConnections, cause: DatabaseError) async throws {
        let isReplacer = state.withLock { state in
            guard state.connections === damaged, !state.isClosed, state.waiters == nil else { return false }
            state.waiters = []
            return true
        }
        guard isReplacer else { return }
        let replaced = Result { try makeReplacement(for: damaged, cause: cause) }
        let (waiters, isClosed) = state.withLock { state in
            if case .success(let next) = replaced { (state.connections, state.quarantinedFile) = next }
            defer { state.waiters = nil }
            return (state.waiters ?? [], state.isClosed)
        }
        for waiter in waiters { waiter.resume() }
        let connections = try replaced.get().connections
        if isClosed { try connections.close() } else { broadcaster.send(.all) }
    }

    private func makeReplacement(
        for damaged: RecordConnections, cause: DatabaseError
    ) throws -> (connections: RecordConnections, setAside: QuarantinedFile?) {
        try damaged.close()
        if !damaged.isRetry, let again = try? RecordConnections.connections(to: file, of: Row.self, isRetry: true) {
            return (again, quarantinedFile)
        }
        return try SQLiteStoreError.converting {
            let quarantined = try SQLiteFile.quarantine(
                file, as: QuarantinedFile.Reason.corrupt.rawValue, cause: cause, isReplacing: true)
            return (try RecordConnections.open(file, of: Row.self).connections, QuarantinedFile(file: quarantined, reason: .corrupt))
        }
    }
}

extension RecordChange {
    /// A change that may affect any row.
    fileprivate static var all: Self {
        var change = RecordChange()
        (change.isListChanged, change.rows) = (true, nil)
        return change
    }

    /// Creates a change of added, removed or updated rows.
    fileprivate init(ids: [ID]) {
        self.init()
        isListChanged = true
        rows = ids.count > Self.rowLimit ? nil : Set(ids)
    }

    fileprivate init(localChangeOf row: ID, at place: Int?) {
        self.init()
        hasOnlyLocalChanges = true
        rows = [row]
        places = place.map { $0...$0 }
    }
}
