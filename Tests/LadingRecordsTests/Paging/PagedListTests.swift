import LadingConformance
import LadingRecords
import LadingTesting
import Synchronization
import Testing

@Suite struct PagedListTests {
    /// A server of a list of numbers that can be switched off, and whose requests others can cancel.
    private final class Server: PageSource {
        let paging: any Paging = OffsetPaging(pageLength: 20)
        let count: Int
        private let state = Mutex((isDown: false, cancellations: 0, keys: [PageKey]()))

        init(count: Int) { self.count = count }

        var keys: [PageKey] { state.withLock(\.keys) }
        func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }
        func cancelRequests(_ count: Int) { state.withLock { $0.cancellations = count } }

        func page(at key: PageKey) async throws -> SourcePage<ConformanceRow> {
            let (isDown, isCancelled) = state.withLock { state in
                state.keys.append(key)
                state.cancellations -= 1
                return (state.isDown, state.cancellations >= 0)
            }
            guard !isCancelled else { throw CancellationError() }
            guard !isDown, case .offset(let offset) = key else { throw Down() }
            return SourcePage((offset..<min(offset + 20, count)).map { ConformanceRow($0) })
        }
    }

    private struct Down: Error {}

    /// Waits until a condition on the list is met.
    private func wait(for list: PagedList<ConformanceRow>, until isMet: () -> Bool) async {
        if isMet() { return }
        for await _ in list.updates where isMet() { return }
    }

    private func ids(_ list: PagedList<ConformanceRow>, _ places: Range<Int>) -> [Int] {
        list.slots(in: places).compactMap { slot in
            if case .row(let record) = slot { record.row.id } else { nil }
        }
    }

    @Test(.timeLimit(.minutes(10))) func `A reader may close the list when its task is cancelled, while rows arrive`() async throws {
        for _ in 1...300 {
            let list = PagedList(store: MemoryRecordStore<ConformanceRow>(), source: Server(count: 90))
            try await list.open()
            let reader = Task {
                await withTaskCancellationHandler {
                    for await _ in list.updates {}
                } onCancel: {
                    list.close()
                }
            }
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { for start in 0..<5 { list.setVisibleRange(15 * start..<15 * start + 15) } }
                tasks.addTask { reader.cancel() }
            }
            await reader.value
        }
    }

    @Test func `A list is scrolled to its end with one fetch per page, and then again offline`() async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        let list = PagedList(store: store, source: server)
        try await list.open()
        for start in stride(from: 0, to: 90, by: 15) {
            list.setVisibleRange(start..<start + 15)
            await wait(for: list) { ids(list, start..<start + 15) == Array(start..<start + 15) }
        }
        await wait(for: list) { list.state.isComplete }
        #expect(Set(server.keys).count == server.keys.count)
        list.close()

        server.setDown(true)
        let offline = PagedList(store: store, source: server)
        try await offline.open()
        offline.refresh()
        await wait(for: offline) { offline.state.failures[.refresh] is Down }
        for start in stride(from: 75, through: 0, by: -15) {
            offline.setVisibleRange(start..<start + 15)
            await wait(for: offline) { ids(offline, start..<start + 15) == Array(start..<start + 15) }
        }
        offline.close()
    }

    @Test func `A refresh before the list is opened replaces the stored rows`() async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        _ = try await store.store(RecordPage([ConformanceRow(7)], at: 0, generation: 9, isEnd: true))
        let list = PagedList(store: store, source: server)
        list.setVisibleRange(0..<5)

        list.refresh()
        #expect(server.keys == [])
        try await list.open()

        await wait(for: list) { ids(list, 0..<5) == [0, 1, 2, 3, 4] }
        #expect(try await store.newestGeneration() == 10)
        list.close()
    }

    @Test func `Pages refreshed by another list are not fetched repeatedly`() async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        let list = PagedList(store: store, source: server)
        try await list.open()
        list.setVisibleRange(0..<5)
        await wait(for: list) { ids(list, 0..<5) == [0, 1, 2, 3, 4] }
        await wait(for: list) { list.state.fetching.isEmpty }
        _ = try await store.store(RecordPage([ConformanceRow(7)], at: 0, generation: 9, isEnd: true))

        list.setVisibleRange(30..<40)

        await wait(for: list) { list.state.isComplete && list.state.fetching.isEmpty && ids(list, 0..<5) == [7] }
        #expect(server.keys.count < 6)
        list.close()
    }

    @Test func `A failed page is fetched on retry`() async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        server.setDown(true)
        let list = PagedList(store: store, source: server)
        try await list.open()
        await wait(for: list) { list.state.failures[.refresh] is Down }

        server.setDown(false)
        list.retry()
        list.setVisibleRange(0..<5)

        await wait(for: list) { ids(list, 0..<5) == [0, 1, 2, 3, 4] }
        #expect(list.state.failures.isEmpty)
        list.close()
    }

    @Test(arguments: [1, 2]) func `A page whose request others cancel is requested again once`(cancellations: Int) async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        server.cancelRequests(cancellations)
        let list = PagedList(store: store, source: server)
        list.setVisibleRange(0..<5)

        try await list.open()
        await wait(for: list) { !ids(list, 0..<5).isEmpty || !list.state.failures.isEmpty }

        if cancellations == 1 {
            #expect(list.state.failures.isEmpty)
            #expect(server.keys.prefix(2) == [.offset(0), .offset(0)])
        } else {
            #expect(list.state.failures[.refresh] is CancellationError)
            #expect(server.keys == [.offset(0), .offset(0)])
        }
        list.close()
    }

    @Test(.timeLimit(.minutes(10))) func `A buffer of more rows than one call of the store returns is read completely`() async throws {
        let (server, store) = (Server(count: 1_215), MemoryRecordStore<ConformanceRow>())
        let rows = (0..<1_200).map { ConformanceRow($0) }
        _ = try await store.store(RecordPage(rows, at: 0, generation: 1, next: .offset(1_200)))
        let list = PagedList(store: store, source: server, bufferLimit: 2_000)
        try await list.open()
        list.setVisibleRange(0..<1_190)
        await wait(for: list) { list.rows.count >= 1_200 }

        list.setVisibleRange(1_180..<1_200)
        await wait(for: list) { list.rows.last?.id == 1_214 && list.state.isComplete }

        #expect(list.rows.map(\.id) == Array(0..<1_215))
        list.close()
    }

    @Test func `Lists that share a store show each other's pages`() async throws {
        let (server, store) = (Server(count: 90), MemoryRecordStore<ConformanceRow>())
        let (one, other) = (PagedList(store: store, source: server), PagedList(store: store, source: server))
        try await one.open()
        await wait(for: one) { ids(one, 0..<5) == [0, 1, 2, 3, 4] }
        try await other.open()
        other.setVisibleRange(0..<5)
        await wait(for: other) { !ids(other, 0..<5).isEmpty }

        _ = try await store.store(RecordPage([ConformanceRow(7)], at: 0, generation: 9, isEnd: true))

        await wait(for: one) { ids(one, 0..<5) == [7] && one.state.isComplete }
        await wait(for: other) { ids(other, 0..<5) == [7] }
        one.close()
        other.close()
    }
}
