import LadingConformance
import LadingTesting
import Testing
@testable import LadingRecords

/// Tests of reads of more rows than one call of a store returns.
@Suite struct LongReadTests {
    private let store = MemoryRecordStore<ConformanceRow>()

    private func put(_ count: Int) async throws {
        _ = try await store.store(RecordPage((0..<count).map { ConformanceRow($0) }, at: 0, generation: 1, isEnd: true))
    }

    @Test(arguments: [999, 1_000, 1_001, 2_500]) func `All places of a range are read`(count: Int) async throws {
        try await put(3_000)

        #expect(try await store.allRecords(in: 100..<100 + count).map(\.place) == Array(100..<100 + count))
    }

    @Test(arguments: [0, 999, 1_000, 1_001, 2_000, 2_400, 2_500]) func `A limit above that of one call is reached, or the end`(
        limit: Int
    ) async throws {
        try await put(2_400)
        let count = min(limit, 2_400)

        #expect(try await places(from: .first, limit) == Array(0..<count))
        #expect(try await places(from: .index(0), limit) == Array(0..<count))
        #expect(try await places(from: .after(RecordPosition(place: -1)), limit) == Array(0..<count))
        #expect(try await places(from: .before(RecordPosition(place: 2_400)), limit) == Array(2_400 - count..<2_400))
    }

    private func places(from cursor: ResultCursor, _ limit: Int) async throws -> [Int] {
        try await store.allRecords(RecordQuery(), from: cursor, limit: limit).records.map(\.place)
    }
}
