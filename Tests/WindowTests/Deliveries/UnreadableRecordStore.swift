import Deliveries
import Foundation
import LadingRecords
import LadingTesting
import Synchronization

/// A store of deliveries whose loaded ranges cannot be read.
final class UnreadableRecordStore: RecordStore {
    struct ReadFailure: Error {}

    let isUnreadable = Mutex(true)
    private let base: MemoryRecordStore<Delivery>

    init(_ base: MemoryRecordStore<Delivery>) {
        self.base = base
    }

    func loadedRanges() async throws -> [LoadedRange] {
        if isUnreadable.withLock(\.self) { throw ReadFailure() }
        return try await base.loadedRanges()
    }

    func records(_ query: RecordQuery, from start: ResultCursor, limit: Int) async throws -> RecordSlice<Delivery> {
        try await base.records(query, from: start, limit: limit)
    }

    func records(in places: Range<Int>) async throws -> RecordSlice<Delivery> { try await base.records(in: places) }
    func record(of id: DeliveryID) async throws -> StoredRecord<Delivery>? { try await base.record(of: id) }
    func records(of ids: [DeliveryID]) async throws -> RecordSlice<Delivery> { try await base.records(of: ids) }
    func count(_ query: RecordQuery) async throws -> Int { try await base.count(query) }
    func store(_ page: RecordPage<Delivery>) async throws -> WriteResult { try await base.store(page) }
    func put(_ rows: [Delivery]) async throws { try await base.put(rows) }
    func remove(_ ids: [DeliveryID]) async throws { try await base.remove(ids) }
    func trim(toBytes limit: Int) async throws { try await base.trim(toBytes: limit) }
    func setLocalChange(_ value: Data?, named name: String, of id: DeliveryID) async throws {
        try await base.setLocalChange(value, named: name, of: id)
    }
    func removeAll() async throws { try await base.removeAll() }
    func changes() -> RecordChanges<DeliveryID> { base.changes() }
}
