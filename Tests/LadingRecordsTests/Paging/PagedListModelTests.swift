import Foundation
import LadingConformance
import LadingRecords
import LadingTesting
import Observation
import Synchronization
import Testing

/// Tests of the SwiftUI model that need no SwiftUI.
@MainActor @Suite(.timeLimit(.minutes(10))) struct PagedListModelTests {
    /// A server of 90 numbers, after those that were inserted, whose titles name the number of its responses, behind a gate.
    private final class Server: PageSource {
        struct State {
            var isDown = false
            var gate: Gate?
            /// The number of rows before the 90, numbered from 1,000.
            var inserted = 0
            var keys: [PageKey] = []
        }

        let paging: any Paging = OffsetPaging(pageLength: 20)
        let state = Mutex(State())

        var keys: [PageKey] { state.withLock(\.keys) }

        func page(at key: PageKey) async throws -> SourcePage<ConformanceRow> {
            let (count, isDown, gate, inserted) = state.withLock { state in
                state.keys.append(key)
                return (state.keys.count, state.isDown, state.gate, state.inserted)
            }
            try await gate?.wait()
            guard !isDown, case .offset(let offset) = key else { throw Down() }
            return SourcePage(
                (offset..<min(offset + 20, 90 + inserted)).map { index in
                    ConformanceRow(index < inserted ? 1_000 + index : index - inserted, "response \(count)")
                })
        }
    }

    private struct Down: Error {}

    private let clock = ManualClock()
    private let server = Server()
    private let store: MemoryRecordStore<ConformanceRow>

    init() {
        let start = clock.now
        store = MemoryRecordStore { [clock] in Date(timeIntervalSince1970: start.duration(to: clock.now) / .seconds(1)) }
    }

    private func makeModel(of store: some RecordStore<ConformanceRow>) -> PagedListModel<ConformanceRow> {
        PagedListModel(list: PagedList(store: store, source: server, prefetchDistance: 5))
    }

    private func makeModel() -> PagedListModel<ConformanceRow> { makeModel(of: store) }

    /// Runs a model until a condition on observed values is met.
    private func run(
        _ model: PagedListModel<ConformanceRow>, refreshing: Bool = false, until isReached: @escaping @MainActor () -> Bool
    ) async {
        let running = Task { await model.run(refreshing: refreshing) }
        await wait(until: isReached)
        running.cancel()
        await running.value
    }

    /// Waits until a condition on observed values is met.
    private func wait(until isReached: @escaping @MainActor () -> Bool) async {
        while !isReached() {
            await withCheckedContinuation { changed in
                withObservationTracking {
                    _ = isReached()
                } onChange: {
                    changed.resume()
                }
            }
            await Task { @MainActor in }.value
        }
    }

    private func ids(_ model: PagedListModel<ConformanceRow>) -> [Int] { model.rows.map(\.id) }

    /// Stores the first page at the time 0, as an earlier process.
    private func storeFirstPage() async throws {
        _ = try await store.store(
            RecordPage((0..<20).map { ConformanceRow($0, "stored") }, at: 0, generation: 1, next: .offset(20)))
    }

    @Test func `The rows of the store appear without a request`() async throws {
        try await storeFirstPage()
        server.state.withLock { $0.isDown = true }
        clock.advance(by: .seconds(3_600))
        let model = makeModel()

        await run(model) { !model.rows.isEmpty }

        #expect(ids(model) == Array(0..<6))
        #expect(model.storedAt == Date(timeIntervalSince1970: 0))
        #expect(server.keys == [])
        #expect(model.failure == nil)
    }

    @Test func `Stored rows are shown during the first request, which replaces them`() async throws {
        try await storeFirstPage()
        let gate = Gate()
        server.state.withLock { $0.gate = gate }
        let model = makeModel()
        let running = Task { await model.run() }

        await wait { !model.rows.isEmpty && model.isRefreshing }
        #expect(model.rows.map(\.row.title).contains("stored"))
        gate.open()
        await wait { model.rows.first?.row.title == "response 1" && !model.isRefreshing }

        #expect(server.keys == [.offset(0)])
        running.cancel()
    }

    @Test(arguments: [true, false]) func `An empty store is filled with the first page, which is fetched once`(refreshing: Bool) async {
        let model = makeModel()

        await run(model, refreshing: refreshing) { !model.rows.isEmpty }

        #expect(server.keys == [.offset(0)])
        #expect(!model.isComplete)
    }

    @Test func `Rows that appear load the rows around them to the end of the list`() async {
        let model = makeModel()
        let running = Task { await model.run() }
        await wait { !model.rows.isEmpty }

        while !model.isComplete || model.rows.last?.id != 89 {
            guard let last = model.rows.last?.id else { break }
            model.rowAppeared(last)
            model.rowDisappeared(last - 10)
            await wait { model.rows.last?.id != last || model.isComplete && last == 89 }
        }

        #expect(ids(model) == Array(0..<90))
        #expect(server.keys == [0, 20, 40, 60, 80].map { .offset($0) })
        running.cancel()
    }

    @Test func `Rows after many that were inserted above are loaded`() async {
        let model = PagedListModel(list: PagedList(store: store, source: server))
        let running = Task { await model.run() }
        await wait { model.rows.last?.id == 59 && !model.isLoading }
        server.state.withLock { $0.inserted = 60 }

        model.rowAppeared(59)
        model.loadMore()

        await wait { model.rows.contains { $0.id == 60 } }
        running.cancel()
    }

    @Test func `A model with a list of its own keeps the rows above the visible ones`() async throws {
        _ = try await store.store(RecordPage((0..<500).map { ConformanceRow($0, "stored") }, at: 0, generation: 1, isEnd: true))
        let model = PagedListModel(store: store, source: server)
        let running = Task { await model.run(refreshing: false) }
        await wait { !model.rows.isEmpty }

        var visible = 0
        while let last = model.rows.last?.id, last < 499 {
            model.rowAppeared(last)
            model.rowDisappeared(visible)
            visible = last
            await wait { model.rows.last?.id != last }
        }

        #expect(ids(model) == Array(0..<500))
        running.cancel()
        await running.value
    }

    @Test func `A failed page keeps the rows, and loading more fetches it again`() async throws {
        try await storeFirstPage()
        server.state.withLock { $0.isDown = true }
        let model = makeModel()
        let running = Task { await model.run(refreshing: false) }
        await wait { !model.rows.isEmpty }

        model.loadMore()
        await wait { model.rows.count == 16 }
        model.loadMore()
        await wait { model.failure is Down }
        await wait { model.rows.count == 20 }
        server.state.withLock { $0.isDown = false }
        model.loadMore()
        await wait { model.rows.count > 20 }

        #expect(model.failure == nil)
        #expect(server.keys == [.offset(20), .offset(20)])
        running.cancel()
    }

    @Test func `A refresh returns when its first page is stored, and the rows are replaced`() async throws {
        try await storeFirstPage()
        let model = makeModel()
        let running = Task { await model.run(refreshing: false) }
        await wait { !model.rows.isEmpty }
        clock.advance(by: .seconds(60))
        model.rowAppeared(0)

        await model.refresh()

        #expect(!model.isRefreshing)
        await wait { model.rows.first?.row.title == "response 1" }
        #expect(model.storedAt == Date(timeIntervalSince1970: 60))
        running.cancel()
    }

    @Test func `A failed refresh returns and keeps the rows`() async throws {
        try await storeFirstPage()
        let model = makeModel()
        let running = Task { await model.run(refreshing: false) }
        await wait { !model.rows.isEmpty }
        server.state.withLock { $0.isDown = true }

        await model.refresh()

        #expect(model.failure is Down)
        #expect(ids(model) == Array(0..<6))
        running.cancel()
    }

    @Test func `A refresh returns when its task or the model's is cancelled`() async throws {
        try await storeFirstPage()
        let gate = Gate()
        server.state.withLock { $0.gate = gate }
        let model = makeModel()
        let running = Task { await model.run(refreshing: false) }
        await wait { !model.rows.isEmpty }
        let refreshes = (0..<2).map { _ in Task { await model.refresh() } }
        await gate.waitForWaiters(count: 1)

        refreshes[0].cancel()
        await refreshes[0].value
        running.cancel()
        await running.value
        await refreshes[1].value

        #expect(model.isRefreshing)
    }

    @Test func `A refresh of a model that is not running returns at once`() async throws {
        try await storeFirstPage()
        let model = makeModel()
        await run(model) { !model.rows.isEmpty }
        let gate = Gate()
        server.state.withLock { $0.gate = gate }

        await model.refresh()

        #expect(model.isRefreshing)
        gate.open()
    }

    @Test func `A refresh while the list is being opened returns when its first page is stored`() async throws {
        try await storeFirstPage()
        let gate = Gate()
        let model = makeModel(of: UnreadableRecordStore(store, error: nil, gate: gate))
        let running = Task { await model.run(refreshing: false) }
        await gate.waitForWaiters(count: 1)

        Task { gate.open() }
        await model.refresh()

        #expect(server.keys == [.offset(0)])
        #expect(!model.isRefreshing)
        #expect(try await store.newestGeneration() == 2)
        running.cancel()
    }

    @Test func `A refresh returns when the list cannot be opened`() async throws {
        let broken = UnreadableRecordStore(store, error: Down())
        let model = makeModel(of: broken)
        let running = Task { await model.run() }
        await wait { model.failure is Down }

        await model.refresh()

        #expect(server.keys == [])
        broken.makeReadable()
        await model.refresh()
        #expect(server.keys == [.offset(0)])
        running.cancel()
    }

    @Test func `A further task that runs the model waits, and updates it after the end of the first`() async throws {
        let model = makeModel()
        let tasks = (0..<2).map { _ in Task { await model.run() } }
        await wait { !model.rows.isEmpty && !model.isLoading }

        tasks[0].cancel()
        await tasks[0].value
        #expect(server.keys == [.offset(0)])
        _ = try await store.store(RecordPage([ConformanceRow(7)], at: 0, generation: 3, isEnd: true))
        await wait { ids(model) == [7] }

        tasks[1].cancel()
        await tasks[1].value
    }

    @Test func `A further task opens the list when the first is cancelled before`() async throws {
        try await storeFirstPage()
        let gate = Gate()
        let model = makeModel(of: UnreadableRecordStore(store, error: nil, gate: gate))
        let tasks = (0..<2).map { _ in Task { await model.run(refreshing: false) } }
        await gate.waitForWaiters(count: 1)

        tasks[0].cancel()
        await tasks[0].value
        gate.open()
        await wait { !model.rows.isEmpty }

        tasks[1].cancel()
        await tasks[1].value
    }

    @Test func `A model that runs again is updated again, without another refresh`() async throws {
        try await storeFirstPage()
        let model = makeModel()
        await run(model, refreshing: true) { model.rows.first?.row.title == "response 1" && !model.isRefreshing }

        await run(model, refreshing: true) { model.rows.count == 6 }
        #expect(server.keys == [.offset(0)])
        _ = try await store.store(RecordPage([ConformanceRow(7)], at: 0, generation: 3, isEnd: true))
        await run(model) { ids(model) == [7] }

        #expect(model.isComplete)
    }

    @Test func `The age is that of the oldest visible row`() async throws {
        try await storeFirstPage()
        clock.advance(by: .seconds(60))
        _ = try await store.store(RecordPage((0..<3).map { ConformanceRow($0) }, at: 0, generation: 2, next: .offset(3)))
        let gate = Gate()
        server.state.withLock { $0.gate = gate }
        let model = makeModel()

        await run(model) { !model.rows.isEmpty }
        let oldest = model.storedAt
        model.rowAppeared(1)
        let visible = model.storedAt
        model.rowAppeared(4)

        #expect(oldest == Date(timeIntervalSince1970: 0))
        #expect(visible == Date(timeIntervalSince1970: 60))
        #expect(model.storedAt == oldest)
    }

    @Test func `A list that cannot be opened is opened by a retry`() async throws {
        try await storeFirstPage()
        let broken = UnreadableRecordStore(store, error: Down())
        let model = makeModel(of: broken)
        let running = Task { await model.run() }
        await wait { model.failure is Down }

        broken.makeReadable()
        model.retry()
        await wait { !model.rows.isEmpty }

        #expect(model.failure == nil)
        running.cancel()
    }
}
