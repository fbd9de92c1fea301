package import Foundation

/// A record store that shares reads of several lists between two changes.
///
/// The store sends a change before the write returns, so no caller reads rows that are older than a change it knows of.
package final class SharedRecordStore<Row: PersistableRow>: RecordStore {
    private enum ReadKey: Hashable, Sendable {
        case query(RecordQuery, ResultCursor, limit: Int)
        case places(Range<Int>)
        case rows([Row.ID])
    }

    /// The parts of a query that determine the number of its results: another point or sort key finds the same rows.
    private struct CountKey: Hashable, Sendable {
        let search: String
        /// Whether rows without a location are omitted.
        let needsLocation: Bool

        init(_ query: RecordQuery) {
            search = query.search
            needsLocation = if case .nearest = query.order { true } else { false }
        }
    }

    private let base: any RecordStore<Row>
    /// A subscription that is only used for its change count.
    private let changeCounter: RecordChanges<Row.ID>
    private let slices = SharedReads<ReadKey, RecordSlice<Row>>()
    private let counts = SharedReads<CountKey, Int>()
    /// All reads have the same key.
    private let rangeReads = SharedReads<Int, [LoadedRange]>()

    package init(_ store: any RecordStore<Row>) {
        base = store
        changeCounter = store.changes()
    }

    private var changeCount: Int { changeCounter.changeCount }
}

// MARK: - Shared reads

extension SharedRecordStore {
    package nonisolated(nonsending) func loadedRanges() async throws -> [LoadedRange] {
        try await rangeReads.value(of: 0, after: changeCount) { [base] in try await base.loadedRanges() }
    }

    package nonisolated(nonsending) func records(_ query: RecordQuery, from start: ResultCursor, limit: Int) async throws -> RecordSlice<
        Row
    > {
        try await slices.value(of: .query(query, start, limit: limit), after: changeCount) { [base] in
            try await base.records(query, from: start, limit: limit)
        }
    }

    package nonisolated(nonsending) func records(in places: Range<Int>) async throws -> RecordSlice<Row> {
        try await slices.value(of: .places(places), after: changeCount) { [base] in try await base.records(in: places) }
    }

    package nonisolated(nonsending) func count(_ query: RecordQuery) async throws -> Int {
        try await counts.value(of: CountKey(query), after: changeCount) { [base] in try await base.count(query) }
    }

    package nonisolated(nonsending) func records(of ids: [Row.ID]) async throws -> RecordSlice<Row> {
        try await slices.value(of: .rows(ids), after: changeCount) { [base] in try await base.records(of: ids) }
    }
}

// MARK: - Unshared calls

extension SharedRecordStore {
    package nonisolated(nonsending) func record(of id: Row.ID) async throws -> StoredRecord<Row>? { try await base.record(of: id) }

    package nonisolated(nonsending) func store(_ page: RecordPage<Row>) async throws -> WriteResult {
        try await base.store(page)
    }

    package nonisolated(nonsending) func put(_ rows: [Row]) async throws {
        try await base.put(rows)
    }

    package nonisolated(nonsending) func remove(_ ids: [Row.ID]) async throws {
        try await base.remove(ids)
    }

    package nonisolated(nonsending) func trim(toBytes limit: Int) async throws {
        try await base.trim(toBytes: limit)
    }

    package nonisolated(nonsending) func setLocalChange(_ value: Data?, named name: String, of id: Row.ID) async throws {
        try await base.setLocalChange(value, named: name, of: id)
    }

    package nonisolated(nonsending) func removeAll() async throws {
        try await base.removeAll()
    }

    package func changes() -> RecordChanges<Row.ID> { base.changes() }
}
