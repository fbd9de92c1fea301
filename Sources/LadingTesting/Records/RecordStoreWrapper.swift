package import Foundation
package import LadingRecords

/// A store that changes some methods of another one; the rest are those of that store.
package protocol RecordStoreWrapper: RecordStore {
    var base: any RecordStore<Row> { get }
}

extension RecordStoreWrapper {
    package nonisolated(nonsending) func loadedRanges() async throws -> [LoadedRange] { try await base.loadedRanges() }

    package nonisolated(nonsending) func records(
        _ query: RecordQuery, from start: ResultCursor, limit: Int
    ) async throws -> RecordSlice<Row> {
        try await base.records(query, from: start, limit: limit)
    }

    package nonisolated(nonsending) func records(in places: Range<Int>) async throws -> RecordSlice<Row> {
        try await base.records(in: places)
    }

    package nonisolated(nonsending) func record(of id: Row.ID) async throws -> StoredRecord<Row>? { try await base.record(of: id) }
    package nonisolated(nonsending) func records(of ids: [Row.ID]) async throws -> RecordSlice<Row> { try await base.records(of: ids) }
    package nonisolated(nonsending) func count(_ query: RecordQuery) async throws -> Int { try await base.count(query) }
    package nonisolated(nonsending) func store(_ page: RecordPage<Row>) async throws -> WriteResult { try await base.store(page) }
    package nonisolated(nonsending) func put(_ rows: [Row]) async throws { try await base.put(rows) }
    package nonisolated(nonsending) func remove(_ ids: [Row.ID]) async throws { try await base.remove(ids) }
    package nonisolated(nonsending) func trim(toBytes limit: Int) async throws { try await base.trim(toBytes: limit) }
    package nonisolated(nonsending) func setLocalChange(_ value: Data?, named name: String, of id: Row.ID) async throws {
        try await base.setLocalChange(value, named: name, of: id)
    }
    package nonisolated(nonsending) func removeAll() async throws { try await base.removeAll() }
    package func changes() -> RecordChanges<Row.ID> { base.changes() }
}
