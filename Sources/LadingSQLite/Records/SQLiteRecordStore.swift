public import Foundation
import GRDB
public import LadingFeeds
import Synchronization

/// A store of the rows of one list of one user, in a SQLite file: it outlives the process and the power.
///
/// ```swift
/// let file = SQLiteRecordStore<Parcel>.file(for: "parcels", of: user, in: directory)
/// let store = try SQLiteRecordStore<Parcel>(at: file)
/// let first = try await store.records(RecordQuery(search: "lamp"), from: .first, limit: 20)
/// ```
///
/// What `store` has confirmed is on the disk. Each list of each user has its own file, so that no row of one user is ever in a list of another, and leaving is
/// removing a file. A file has one owner, and others may read it: changes that another program makes are not told.
///
/// A file that is damaged, or that a later release has written, is set aside with a number behind its name, and a new one is begun: `setAside` tells. Damage
/// that shows only later is treated in the same way, at that moment. Nothing else is a reason to move a file.
public final class SQLiteRecordStore<Row: Recordable>: RecordStore {
    private struct State {
        var connections: RecordConnections
        var quarantinedFile: QuarantinedFile?
        var isClosed = false
        /// The callers that wait until a damaged file has been replaced; nil while none is being replaced.
        var waiters: [CheckedContinuation<Void, Never>]?
    }

    /// The log of what was written is folded into the file when it is longer than this, in bytes.
    private static var logLimit: Int { 16 << 20 }

    private let file: URL
    /// Whether it may be written, and moved when it is damaged.
    private let isOwned: Bool
    private let now: @Sendable () -> Date
    private let broadcaster = RecordChangeBroadcaster<Row.ID>()
    private let state: Mutex<State>

    /// Opens or creates the file; its folder must be there. On a full disk a file that is there is opened, to be read.
    ///
    /// A file whose rows were described in another way is described anew first, row by row; `Recordable.indexVersion` tells.
    ///
    /// - Parameter now: What time it is, for the age of rows.
    /// - Throws: `SQLiteJournalError`.
    public init(at file: URL, now: @escaping @Sendable () -> Date = { Date() }) throws {
        (self.file, self.now, isOwned) = (file, now, true)
        let opened = try RecordConnections.open(file, of: Row.self)
        state = Mutex(State(connections: opened.connections, quarantinedFile: opened.setAside))
    }

    /// Creates a store in memory, in the place of a file whose disk has no room for it (`SQLiteJournalError.diskFull`).
    package init(inMemoryReplacing file: URL, now: @escaping @Sendable () -> Date = { Date() }) throws {
        (self.file, self.now, isOwned) = (file, now, false)
        state = Mutex(State(connections: try RecordConnections.inMemory(of: Row.self)))
    }

    /// Opens a file that another program owns, to read what that one stores. Nothing is written or set aside, and damage is an error.
    ///
    /// - Throws: `SQLiteJournalError`.
    public init(reading file: URL) throws {
        (self.file, now, isOwned) = (file, { .distantPast }, false)
        state = Mutex(State(connections: try RecordConnections.reading(file)))
    }

    /// Whether the disk was full when the store was opened: what is there is read, and what is in memory is not stored.
    package var isDiskFull: Bool { connections.isDiskFull }

    /// The file that was set aside last, and why; nil when none was.
    public var quarantinedFile: QuarantinedFile? { state.withLock { $0.quarantinedFile } }

    /// Closes the file. Nothing can be asked of the store any more, and those who watch are told that it ends.
    public func close() throws {
        let connections = state.withLock { state in
            state.isClosed = true
            return state.connections
        }
        broadcaster.finish()
        try connections.close()
    }

    // MARK: Writing

    public nonisolated(nonsending) func store(_ page: RecordPage<Row>) async throws -> WriteResult {
        let entries = try page.rows.map(EncodedRecord.init)
        let time = now()
        let (receipt, change) = try await write { database in
            var writer = RecordWriter<Row>(database)
            let receipt = try writer.store(page, entries, at: time)
            return (receipt, writer.change)
        }
        broadcaster.send(change)
        return receipt
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
            return RecordChange(row: id, at: place)
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
    /// How safely commits are written: 2 is FULL.
    package var synchronous: Int? {
        get throws { try connections.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } }
    }

    private var connections: RecordConnections { state.withLock { $0.connections } }

    private func write<Outcome: Sendable>(_ body: @escaping @Sendable (Database) throws -> Outcome) async throws -> Outcome {
        try await recoveringFromDamage { connections in
            let outcome = try await connections.pool.write(body)
            // What is committed is stored, even if the log stays as long as it is until the next time.
            try? await connections.checkpoint(ifLogExceeds: Self.logLimit)
            return outcome
        }
    }

    /// - Parameter searching: Whether much of the file is looked through.
    private func read<Outcome: Sendable>(
        searching: Bool = false, _ body: @escaping @Sendable (Database) throws -> Outcome
    ) async throws -> Outcome {
        try await recoveringFromDamage { connections in
            try await searching ? connections.searchReader().read(body) : connections.pool.read(body)
        }
    }

    /// Does something with the file; when it turns out to be damaged, once more after it was opened again, and then with a new one.
    private func recoveringFromDamage<Outcome: Sendable>(_ body: (RecordConnections) async throws -> Outcome) async throws -> Outcome {
        let connections = await currentConnections()
        do {
            return try await body(connections)
        } catch let error as DatabaseError where error.isDamage && isOwned {
            try await replace(connections, because: error)
        } catch {
            // Somebody else may have replaced the file meanwhile, and closed these.
            guard await currentConnections() !== connections else { throw error }
        }
        let next = await currentConnections()
        do {
            return try await body(next)
        } catch let error as DatabaseError where error.isDamage && isOwned && next.isRetry {
            try await replace(next, because: error)
        }
        return try await body(currentConnections())
    }

    /// The connections to the file in use, once a replacement that is under way has ended.
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

    /// Opens the file again, or sets it aside and begins a new one, unless another caller does so or has done so. The lock is free while files are closed, moved and opened.
    private func replace(_ damaged: RecordConnections, because cause: DatabaseError) async throws {
        let isMine = state.withLock { state in
            guard state.connections === damaged, !state.isClosed, state.waiters == nil else { return false }
            state.waiters = []
            return true
        }
        guard isMine else { return }
        let replaced = Result { try makeReplacement(for: damaged, because: cause) }
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
        for damaged: RecordConnections, because cause: DatabaseError
    ) throws -> (connections: RecordConnections, setAside: QuarantinedFile?) {
        try damaged.close()
        if !damaged.isRetry, let again = try? RecordConnections.connections(to: file, of: Row.self, isRetry: true) {
            return (again, quarantinedFile)
        }
        let quarantined = try SQLiteFile.quarantine(file, as: QuarantinedFile.Reason.damaged.rawValue, because: cause)
        return (try RecordConnections.open(file, of: Row.self).connections, QuarantinedFile(file: quarantined, reason: .damaged))
    }
}

extension RecordChange {
    /// Any row may be another.
    fileprivate static var all: Self {
        var change = RecordChange()
        (change.isListChanged, change.rows) = (true, nil)
        return change
    }

    /// Rows that came, went or have other content.
    fileprivate init(ids: [ID]) {
        self.init()
        isListChanged = true
        rows = ids.count > Self.rowLimit ? nil : Set(ids)
    }

    fileprivate init(row: ID, at place: Int?) {
        self.init()
        rows = [row]
        places = place.map { $0...$0 }
    }
}
