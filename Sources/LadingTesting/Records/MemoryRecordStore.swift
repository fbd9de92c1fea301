public import Foundation
public import LadingRecords
import Synchronization

/// A record store in memory for tests: a simple reference implementation.
public final class MemoryRecordStore<Row: PersistableRow>: RecordStore {
    private let now: @Sendable () -> Date
    private let broadcaster = RecordChangeBroadcaster<Row.ID>()
    private let state = Mutex(RecordTable<Row>())

    /// Creates an empty store.
    ///
    /// - Parameter now: Returns the present time, for the age of rows.
    public init(now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 0) }) {
        self.now = now
    }

    /// Makes all further writes throw an error; nil ends that.
    public func fail(with error: (any Error)?) {
        state.withLock { $0.failure = error }
    }

    public nonisolated(nonsending) func store(_ page: RecordPage<Row>) async throws -> WriteResult {
        let time = now()
        let (result, change) = try write { state -> (WriteResult, RecordChange<Row.ID>) in
            guard page.generation >= state.loadedRanges.newestGeneration else { return (.stale, RecordChange()) }
            return (.stored, state.store(page, at: time))
        }
        broadcaster.send(change)
        return result
    }

    public nonisolated(nonsending) func put(_ rows: [Row]) async throws {
        let time = now()
        broadcaster.send(try write { $0.put(rows, at: time) })
    }

    public nonisolated(nonsending) func remove(_ ids: [Row.ID]) async throws {
        broadcaster.send(try write { $0.remove(ids) })
    }

    public nonisolated(nonsending) func trim(toBytes limit: Int) async throws {
        broadcaster.send(try write { $0.trim(toBytes: limit) })
    }

    public nonisolated(nonsending) func setLocalChange(_ value: Data?, named name: String, of id: Row.ID) async throws {
        let change = try write { state in
            var change = RecordChange<Row.ID>()
            state.changes[RecordTable<Row>.key(of: id), default: [:]][name] = value
            change.hasOnlyLocalChanges = true
            change.rows = [id]
            change.places = state.places[RecordTable<Row>.key(of: id)].map { $0...$0 }
            return change
        }
        broadcaster.send(change)
    }

    public nonisolated(nonsending) func removeAll() async throws {
        try write { $0.removeAll() }
        var change = RecordChange<Row.ID>()
        (change.isListChanged, change.rows) = (true, nil)
        broadcaster.send(change)
    }

    public nonisolated(nonsending) func loadedRanges() async throws -> [LoadedRange] { state.withLock(\.loadedRanges.ranges) }

    public nonisolated(nonsending) func records(_ query: RecordQuery, from start: ResultCursor, limit: Int) async throws -> RecordSlice<Row>
    {
        let limit = max(0, min(limit, Self.readLimit))
        let query = query.normalized(for: Row.sortKeys)
        let (records, isOrderedBefore) = (records(matching: query), query.isOrderedBefore)
        return switch start {
        case .first: RecordSlice(Array(records.prefix(limit)))
        case .after(let position): RecordSlice(Array(records.filter { isOrderedBefore(position, $0.position) }.prefix(limit)))
        case .before(let position): RecordSlice(records.filter { isOrderedBefore($0.position, position) }.suffix(limit))
        case .index(let index): RecordSlice(Array(records.dropFirst(max(0, index)).prefix(limit)))
        }
    }

    public nonisolated(nonsending) func records(in places: Range<Int>) async throws -> RecordSlice<Row> {
        state.withLock { state in
            RecordSlice(state.occupied.filter(places.contains).prefix(Self.readLimit).compactMap { state.record(at: $0) })
        }
    }

    public nonisolated(nonsending) func record(of id: Row.ID) async throws -> StoredRecord<Row>? {
        state.withLock { state in state.places[RecordTable<Row>.key(of: id)].flatMap { state.record(at: $0) } }
    }

    public nonisolated(nonsending) func records(of ids: [Row.ID]) async throws -> RecordSlice<Row> {
        state.withLock { state in
            RecordSlice(ids.compactMap { id in state.places[RecordTable<Row>.key(of: id)].flatMap { state.record(at: $0) } })
        }
    }

    public nonisolated(nonsending) func count(_ query: RecordQuery) async throws -> Int { records(matching: query).count }

    public func changes() -> RecordChanges<Row.ID> { broadcaster.changes() }

    private func write<Outcome>(_ body: (inout RecordTable<Row>) -> Outcome) throws -> Outcome {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return body(&state)
        }
    }

    private func records(matching query: RecordQuery) -> [StoredRecord<Row>] {
        let records = state.withLock { state in state.occupied.compactMap { state.record(at: $0) } }
        return records.compactMap { record in
            let indexedFields = record.row.indexedFields
            guard query.matches(indexedFields), let position = query.position(of: indexedFields, at: record.place) else {
                return nil
            }
            var record = record
            record.position = position
            return record
        }.sorted { query.isOrderedBefore($0.position, $1.position) }
    }
}
