package import Foundation
package import LadingRecords
import Synchronization

/// A record store for tests that counts the reads of its list and the local changes of its rows.
package final class CountingRecordStore<Row: PersistableRow>: RecordStoreWrapper {
    package let base: any RecordStore<Row>
    private let reads = Mutex(0)
    private let localChanges = Mutex(0)

    package init(_ base: any RecordStore<Row>) {
        self.base = base
    }

    /// The number of reads of rows, of their count and of loaded ranges.
    package var readCount: Int { reads.withLock { $0 } }

    /// The number of local changes that were set or removed.
    package var localChangeCount: Int { localChanges.withLock { $0 } }

    private func countRead() { reads.withLock { $0 += 1 } }
}

extension CountingRecordStore {
    package nonisolated(nonsending) func loadedRanges() async throws -> [LoadedRange] {
        countRead()
        return try await base.loadedRanges()
    }

    package nonisolated(nonsending) func records(
        _ query: RecordQuery, from start: ResultCursor, limit: Int
    ) async throws -> RecordSlice<Row> {
        countRead()
        return try await base.records(query, from: start, limit: limit)
    }

    package nonisolated(nonsending) func records(in places: Range<Int>) async throws -> RecordSlice<Row> {
        countRead()
        return try await base.records(in: places)
    }

    package nonisolated(nonsending) func count(_ query: RecordQuery) async throws -> Int {
        countRead()
        return try await base.count(query)
    }

    package nonisolated(nonsending) func setLocalChange(_ value: Data?, named name: String, of id: Row.ID) async throws {
        localChanges.withLock { $0 += 1 }
        try await base.setLocalChange(value, named: name, of: id)
    }
}
