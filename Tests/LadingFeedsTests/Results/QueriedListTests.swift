import LadingFeeds
import LadingTesting
import Testing

@Suite struct QueriedListTests {
    private let store = MemoryRecordStore<ConformanceRow>()

    private func put(_ rows: [ConformanceRow], generation: Int = 1) async throws {
        _ = try await store.store(RecordPage(rows, at: 0, generation: generation))
    }

    /// Waits until the list looks as it should.
    private func until(_ list: QueriedList<ConformanceRow>, _ isSo: () -> Bool) async {
        if isSo() { return }
        for await _ in list.updates where isSo() { return }
    }

    private func ids(_ list: QueriedList<ConformanceRow>, _ indices: Range<Int>) -> [Int?] { list.slots(in: indices).map { $0?.row.id } }

    @Test func `What is found is shown, row by row and counted`() async throws {
        try await put((0..<100).map { ConformanceRow($0, $0 % 2 == 0 ? "Lamp" : "Shoe", weight: Double(-$0)) })
        let list = QueriedList(store: store, query: RecordQuery(search: "lamp", order: .sorted("weight")))
        list.open()
        list.show(0..<5)

        await until(list) { list.state.count == 50 && ids(list, 0..<5) == [98, 96, 94, 92, 90] }
        list.show(45..<50)
        await until(list) { ids(list, 45..<60) == [8, 6, 4, 2, 0] }
        list.close()
    }

    @Test func `A row that comes while the list is shown appears in its place`() async throws {
        try await put([ConformanceRow(1, weight: 1), ConformanceRow(3, weight: 3)])
        let list = QueriedList(store: store, query: RecordQuery(order: .sorted("weight")))
        list.open()
        await until(list) { ids(list, 0..<9) == [1, 3] }

        try await put([ConformanceRow(1, weight: 1), ConformanceRow(3, weight: 3), ConformanceRow(2, weight: 2)])

        await until(list) { ids(list, 0..<9) == [1, 2, 3] && list.state.count == 3 }
        list.close()
    }

    @Test func `Whoever knows of a change need not wait for the store to tell of it`() async throws {
        try await put([ConformanceRow(1)])
        let list = QueriedList(store: store, query: RecordQuery())
        list.open()
        await until(list) { list.state.isSettled }

        try await put([ConformanceRow(1), ConformanceRow(2)])
        list.lookAgain()

        #expect(!list.state.isSettled)
        await until(list) { list.state.isSettled }
        #expect(list.state.count == 2 && ids(list, 0..<2) == [1, 2])
        list.close()
    }

    @Test func `Another query finds other rows`() async throws {
        try await put([ConformanceRow(1, "Lamp"), ConformanceRow(2, "Shoe")])
        let list = QueriedList(store: store, query: RecordQuery(search: "lamp"))
        list.open()
        await until(list) { ids(list, 0..<9) == [1] }

        list.ask(RecordQuery(search: "shoe"))

        await until(list) { ids(list, 0..<9) == [2] && list.state.isCurrent && list.state.count == 1 }
        list.close()
    }

    @Test func `A list that is let go of ends, and leaves nobody watching`() async throws {
        var list: QueriedList? = QueriedList(store: store, query: RecordQuery())
        list?.open()
        let updates = try #require(list?.updates)

        list = nil

        for await _ in updates {}
    }
}
