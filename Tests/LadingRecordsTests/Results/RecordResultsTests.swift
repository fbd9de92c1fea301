import Foundation
import LadingConformance
import LadingRecords
import LadingTesting
import Testing

@Suite struct RecordResultsTests {
    private let store = MemoryRecordStore<ConformanceRow>()

    private func put(_ rows: [ConformanceRow], generation: Int = 1) async throws {
        _ = try await store.store(RecordPage(rows, at: 0, generation: generation))
    }

    /// Waits until a condition on the results is met.
    private func wait(for list: RecordResults<ConformanceRow>, until isMet: () -> Bool) async {
        if isMet() { return }
        for await _ in list.updates where isMet() { return }
    }

    private func ids(_ list: RecordResults<ConformanceRow>, _ indices: Range<Int>) -> [Int?] { list.slots(in: indices).map { $0?.row.id } }

    @Test func `Results are shown row by row and counted`() async throws {
        try await put((0..<100).map { ConformanceRow($0, $0 % 2 == 0 ? "Lamp" : "Shoe", weight: Double(-$0)) })
        let list = RecordResults(store: store, query: RecordQuery(search: "lamp", order: .sorted("weight")))
        list.open()
        list.setVisibleRange(0..<5)

        await wait(for: list) { list.state.count == 50 && ids(list, 0..<5) == [98, 96, 94, 92, 90] }
        list.setVisibleRange(45..<50)
        await wait(for: list) { ids(list, 45..<60) == [8, 6, 4, 2, 0] }
        list.close()
    }

    @Test(.timeLimit(.minutes(10))) func `Results of more rows than one call of the store returns are read completely`() async throws {
        try await put((0..<1_200).map { ConformanceRow($0) })
        let list = RecordResults(store: store, query: RecordQuery(), bufferLimit: 2_000)
        list.open()
        list.setVisibleRange(0..<1_150)

        await wait(for: list) { list.state.isUpToDate && ids(list, 0..<1_190).compactMap(\.self).count == 1_190 }
        list.reload()
        await wait(for: list) { list.state.isUpToDate }

        #expect(ids(list, 0..<1_190).compactMap(\.self) == Array(0..<1_190))
        list.close()
    }

    @Test func `Indices before the first and after the last result have no slot`() async throws {
        try await put((0..<3).map { ConformanceRow($0) })
        let list = RecordResults(store: store, query: RecordQuery())
        list.open()
        await wait(for: list) { list.state.isUpToDate }

        #expect(ids(list, -2..<2) == [0, 1])
        #expect(ids(list, 1..<9) == [1, 2])
        #expect(ids(list, 3..<9) == [] && ids(list, -2..<0) == [])
        list.close()
    }

    @Test func `Results that were not read have no slots`() {
        let list = RecordResults(store: store, query: RecordQuery())

        #expect(ids(list, 0..<9) == [])
    }

    @Test func `A row stored while results are shown appears in its position`() async throws {
        try await put([ConformanceRow(1, weight: 1), ConformanceRow(3, weight: 3)])
        let list = RecordResults(store: store, query: RecordQuery(order: .sorted("weight")))
        list.open()
        await wait(for: list) { ids(list, 0..<9) == [1, 3] }

        try await put([ConformanceRow(1, weight: 1), ConformanceRow(3, weight: 3), ConformanceRow(2, weight: 2)])

        await wait(for: list) { ids(list, 0..<9) == [1, 2, 3] && list.state.count == 3 }
        list.close()
    }

    @Test func `A local change of a shown row is shown, and neither rows nor their number are read again`() async throws {
        try await put((0..<300).map { ConformanceRow($0, weight: Double(-$0)) })
        let counting = CountingRecordStore(store)
        let list = RecordResults(store: counting, query: RecordQuery(order: .sorted("weight")))
        list.open()
        await wait(for: list) { list.state.isUpToDate }
        let readCount = counting.readCount

        for id in [0, 299] { try await store.setLocalChange(Data([7]), named: "mark", of: id) }

        await wait(for: list) { list.slots(in: 0..<1).first??.localChanges == ["mark": Data([7])] && list.state.isUpToDate }
        #expect(counting.readCount == readCount)
        list.close()
    }

    @Test func `Paused results are read again when they are resumed`() async throws {
        try await put([ConformanceRow(1)])
        let counting = CountingRecordStore(store)
        let list = RecordResults(store: counting, query: RecordQuery())
        list.open()
        await wait(for: list) { list.state.isUpToDate }
        let readCount = counting.readCount
        let other = RecordResults(store: store, query: RecordQuery())
        other.open()

        list.pause()
        try await put([ConformanceRow(1), ConformanceRow(2)])
        list.reload()
        await wait(for: other) { ids(other, 0..<2) == [1, 2] }
        #expect(!list.state.isUpToDate && counting.readCount == readCount)
        list.resume()

        await wait(for: list) { list.state.isUpToDate && ids(list, 0..<2) == [1, 2] }
        for results in [list, other] { results.close() }
    }

    @Test func `A reload does not wait for a notification of the store`() async throws {
        try await put([ConformanceRow(1)])
        let list = RecordResults(store: store, query: RecordQuery())
        list.open()
        await wait(for: list) { list.state.isUpToDate }

        try await put([ConformanceRow(1), ConformanceRow(2)])
        list.reload()

        #expect(!list.state.isUpToDate)
        await wait(for: list) { list.state.isUpToDate }
        #expect(list.state.count == 2 && ids(list, 0..<2) == [1, 2])
        list.close()
    }

    @Test func `A new query shows its own rows`() async throws {
        try await put([ConformanceRow(1, "Lamp"), ConformanceRow(2, "Shoe")])
        let list = RecordResults(store: store, query: RecordQuery(search: "lamp"))
        list.open()
        await wait(for: list) { ids(list, 0..<9) == [1] }

        list.setQuery(RecordQuery(search: "shoe"))

        await wait(for: list) { ids(list, 0..<9) == [2] && list.state.isCurrent && list.state.count == 1 }
        list.close()
    }

    @Test func `Deallocated results end their updates`() async throws {
        var list: RecordResults? = RecordResults(store: store, query: RecordQuery())
        list?.open()
        let updates = try #require(list?.updates)

        list = nil

        for await _ in updates {}
    }
}
