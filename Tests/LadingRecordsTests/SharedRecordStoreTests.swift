import LadingConformance
import LadingTesting
import Testing
@testable import LadingRecords

/// Tests of a store that many lists share, on a store in memory that counts reads.
@Suite struct SharedRecordStoreTests {
    private static let conformance = RecordStoreConformance { use in
        try await use(SharedRecordStore(MemoryRecordStore<ConformanceRow>()))
    }

    @Test(arguments: conformance.cases) func `The shared store passes the conformance suite`(_ example: RecordStoreConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }

    /// Returns the number of reads when this many lists show the same rows before and after a change.
    private func reads(by count: Int) async throws -> Int {
        let counting = CountingRecordStore(MemoryRecordStore<ConformanceRow>())
        let store = SharedRecordStore(counting)
        _ = try await store.store(RecordPage([ConformanceRow(1)], at: 0, generation: 1))
        let lists = (0..<count).map { _ in RecordResults(store: store, query: RecordQuery()) }
        for list in lists { list.open() }
        for list in lists { await wait(for: list, toShow: [1]) }

        _ = try await store.store(RecordPage([ConformanceRow(1), ConformanceRow(2)], at: 0, generation: 1))
        for list in lists { await wait(for: list, toShow: [1, 2]) }

        for list in lists { list.close() }
        return counting.readCount
    }

    private func wait(for list: RecordResults<ConformanceRow>, toShow ids: [Int?]) async {
        func isSo() -> Bool { list.state.isUpToDate && list.state.count == ids.count && list.slots(in: 0..<9).map { $0?.row.id } == ids }
        if isSo() { return }
        for await _ in list.updates where isSo() { return }
    }

    @Test func `Ten result lists cause as many reads as one`() async throws {
        let alone = try await reads(by: 1)
        let together = try await reads(by: 10)

        #expect(alone > 0 && together == alone)
    }

    @Test func `Counts that differ only in the order of the rows are shared`() async throws {
        let counting = CountingRecordStore(MemoryRecordStore<ConformanceRow>())
        let store = SharedRecordStore(counting)
        _ = try await store.store(RecordPage([ConformanceRow(1), ConformanceRow(2, coordinates: [0, 0])], at: 0, generation: 1))
        let points = (0..<3).compactMap { GeographicPoint(latitude: 1, longitude: Double($0)) }

        for point in points { #expect(try await store.count(RecordQuery(order: .nearest(point))) == 1) }
        #expect(counting.readCount == 1)
        for order in [RecordQuery.Order.serverOrder, .sorted("title"), .sorted("weight", descending: true)] {
            #expect(try await store.count(RecordQuery(order: order)) == 2)
        }
        #expect(counting.readCount == 2)
        #expect(try await store.count(RecordQuery(search: "number 2")) == 1)
        #expect(counting.readCount == 3)
    }

    @Test func `A change invalidates earlier reads`() async throws {
        let memory = MemoryRecordStore<ConformanceRow>()
        let store = SharedRecordStore(memory)
        #expect(try await store.count(RecordQuery()) == 0)

        _ = try await memory.store(RecordPage([ConformanceRow(1)], at: 0, generation: 1))

        #expect(try await store.count(RecordQuery()) == 1)
        #expect(try await store.records(limit: 9).rows.map(\.id) == [1])
    }
}

@Suite struct SharedReadsTests {
    private struct Failure: Error {}

    private let reads = SharedReads<String, Int>()

    @Test func `A result is shared until the next change`() async throws {
        #expect(try await reads.value(of: "a", after: 0) { 1 } == 1)
        #expect(try await reads.value(of: "a", after: 0) { 2 } == 1)
        #expect(try await reads.value(of: "b", after: 0) { 3 } == 3)
        #expect(try await reads.value(of: "a", after: 1) { 4 } == 4)
    }

    @Test func `A caller that missed the last change receives the newer result`() async throws {
        _ = try await reads.value(of: "a", after: 2) { 1 }

        #expect(try await reads.value(of: "a", after: 1) { 2 } == 1)
    }

    @Test func `A failure is not shared with later callers`() async throws {
        await #expect(throws: Failure.self) { try await reads.value(of: "a", after: 0) { throw Failure() } }

        #expect(try await reads.value(of: "a", after: 0) { 1 } == 1)
    }

    @Test func `The number of retained results is limited`() async throws {
        let keys = (0...SharedReads<String, Int>.limit).map { "\($0)" }
        for key in keys { _ = try await reads.value(of: key, after: 0) { 1 } }

        #expect(try await reads.value(of: keys[0], after: 0) { 2 } == 2)
    }
}
