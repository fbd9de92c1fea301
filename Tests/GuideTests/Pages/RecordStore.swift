import Foundation
import LadingConformance
import LadingHTTP
import LadingRecords
import LadingSQLite
import LadingTesting
import Testing

// block 1

func openParcels(of user: String, in directory: URL) throws {
    // block 2
    try store.close()
}

// block 3

@MainActor func makeModel(_ store: any RecordStore<Parcel>, _ url: URL, _ client: BackendClient) -> PagedListModel<Parcel> {
    // block 4
    return model
}

// Not compiled: block 5 needs SwiftUI, which only Apple's platforms have.

// test block 6

/// The record store of a client.
nonisolated final class MyRecordStore<Row: PersistableRow>: RecordStore {
    private let store = MemoryRecordStore<Row>()
    private let broadcaster = RecordChangeBroadcaster<Row.ID>()

    func store(_ page: RecordPage<Row>) async throws -> WriteResult { try await store.store(page) }
    func loadedRanges() async throws -> [LoadedRange] { try await store.loadedRanges() }
    func records(_ query: RecordQuery, from start: ResultCursor, limit: Int) async throws -> RecordSlice<Row> {
        try await store.records(query, from: start, limit: limit)
    }
    func records(in places: Range<Int>) async throws -> RecordSlice<Row> { try await store.records(in: places) }
    func records(of ids: [Row.ID]) async throws -> RecordSlice<Row> { try await store.records(of: ids) }
    func put(_ rows: [Row]) async throws { try await store.put(rows) }
    func remove(_ ids: [Row.ID]) async throws { try await store.remove(ids) }
    func trim(toBytes limit: Int) async throws { try await store.trim(toBytes: limit) }
    func record(of id: Row.ID) async throws -> StoredRecord<Row>? { try await store.record(of: id) }
    func count(_ query: RecordQuery) async throws -> Int { try await store.count(query) }
    func setLocalChange(_ value: Data?, named name: String, of id: Row.ID) async throws {
        try await store.setLocalChange(value, named: name, of: id)
    }
    func removeAll() async throws {
        try await store.removeAll()
        var change = RecordChange<Row.ID>()
        (change.isListChanged, change.rows) = (true, nil)
        broadcaster.send(change)
    }
    func changes() -> RecordChanges<Row.ID> { broadcaster.changes() }
}
