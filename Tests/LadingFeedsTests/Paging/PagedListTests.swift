import LadingFeeds
import LadingTesting
import Synchronization
import Testing

@Suite struct PagedListTests {
    /// A server with a list of numbers; it can be switched off, and hold its replies back.
    private final class Server: PageSource {
        let paging: any Paging = OffsetPaging(pageLength: 20)
        let count: Int
        private let state = Mutex((isDown: false, keys: [PageKey]()))

        init(count: Int) { self.count = count }

        var keys: [PageKey] { state.withLock(\.keys) }
        func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

        func page(at key: PageKey) async throws -> SourcePage<ConformanceRow> {
            let isDown = state.withLock { state in
                state.keys.append(key)
                return state.isDown
            }
            guard !isDown, case .offset(let offset) = key else { throw Down() }
            return SourcePage((offset..<min(offset + 20, count)).map { ConformanceRow($0) })
        }
    }

    private struct Down: Error {}

    /// Waits until the list looks as it should.
    private func until(_ list: PagedList<ConformanceRow>, _ isSo: () -> Bool) async {
        if isSo() { return }
        for await _ in list.updates where isSo() { return }
    }

    private func ids(_ list: PagedList<ConformanceRow>, _ places: Range<Int>) -> [Int] {
        list.slots(in: places).compactMap { slot in
            if case .row(let record) = slot { record.row.id } else { nil }
        }
    }

    @Test func `A list is scrolled to its end, each page fetched once, and then again without a network`() async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        let list = PagedList(store: store, source: server)
        try await list.open()
        for start in stride(from: 0, to: 90, by: 15) {
            list.show(start..<start + 15)
            await until(list) { ids(list, start..<start + 15) == Array(start..<start + 15) }
        }
        await until(list) { list.state.isComplete }
        #expect(Set(server.keys).count == server.keys.count)
        list.close()

        server.setDown(true)
        let offline = PagedList(store: store, source: server)
        try await offline.open()
        offline.refresh()
        await until(offline) { offline.state.failures[.refresh] is Down }
        for start in stride(from: 75, through: 0, by: -15) {
            offline.show(start..<start + 15)
            await until(offline) { ids(offline, start..<start + 15) == Array(start..<start + 15) }
        }
        offline.close()
    }

    @Test func `What another has refreshed meanwhile is not asked for again and again`() async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        let list = PagedList(store: store, source: server)
        try await list.open()
        list.show(0..<5)
        await until(list) { ids(list, 0..<5) == [0, 1, 2, 3, 4] }
        await until(list) { list.state.fetching.isEmpty }
        _ = try await store.store(RecordPage([ConformanceRow(7)], at: 0, generation: 9, isEnd: true))

        list.show(30..<40)

        await until(list) { list.state.isComplete && list.state.fetching.isEmpty && ids(list, 0..<5) == [7] }
        #expect(server.keys.count < 6)
        list.close()
    }

    @Test func `A page that failed is fetched on retry`() async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        server.setDown(true)
        let list = PagedList(store: store, source: server)
        try await list.open()
        await until(list) { list.state.failures[.refresh] is Down }

        server.setDown(false)
        list.retry()
        list.show(0..<5)

        await until(list) { ids(list, 0..<5) == [0, 1, 2, 3, 4] }
        #expect(list.state.failures.isEmpty)
        list.close()
    }

    @Test func `Lists that share a store see what each of them brings`() async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        let (one, other) = (PagedList(store: store, source: server), PagedList(store: store, source: server))
        try await one.open()
        await until(one) { ids(one, 0..<5) == [0, 1, 2, 3, 4] }
        try await other.open()
        other.show(0..<5)
        await until(other) { !ids(other, 0..<5).isEmpty }

        _ = try await store.store(RecordPage([ConformanceRow(7)], at: 0, generation: 9, isEnd: true))

        await until(one) { ids(one, 0..<5) == [7] && one.state.isComplete }
        await until(other) { ids(other, 0..<5) == [7] }
        one.close()
        other.close()
    }
}
