import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Synchronization
import Testing

@testable import Window

@Suite("Dispatch: reads of tables")
struct TableReadsTests {
    @Test func `Requests during a read share the next one, which begins later`() async throws {
        let reads = TableReads<String, Int>()
        let count = Mutex(0)
        let gate = Gate()
        let read: @Sendable () async throws -> Int = {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { try await gate.wait() }
            return number
        }

        let first = reads.read(for: "a", read)
        await gate.waitForWaiters(count: 1)
        let (second, third) = (reads.read(for: "a", read), reads.read(for: "a", read))
        #expect(try await reads.read(for: "b") { 9 }.task.value == 9)
        gate.open()

        #expect(try await first.task.value == 1)
        #expect(try await second.task.value == 2 && second.task == third.task)
        #expect(first.isOwn && second.isOwn && !third.isOwn)
        #expect(try await reads.read(for: "a", read).task.value == 3)
    }

    @Test func `A failed read fails for those who share it, and not for later ones`() async throws {
        let reads = TableReads<String, Int>()

        await #expect(throws: CancellationError.self) {
            try await reads.value(for: "a", isRefusal: { _ in true }) { throw CancellationError() }
        }
        #expect(try await reads.value(for: "a", isRefusal: { _ in true }) { 1 }.value == 1)
    }

    @Test(arguments: [true, false]) func `A read that was refused to somebody else is repeated`(isRefusal: Bool) async throws {
        let reads = TableReads<String, Int>()
        let (gate, executor) = (Gate(), FirstJobExecutor())
        _ = reads.read(for: "a") {
            try await gate.wait()
            return 1
        }
        _ = reads.read(for: "a") { throw CancellationError() }

        let joined = Task(executorPreference: executor) { try await reads.value(for: "a", isRefusal: { _ in isRefusal }) { 3 } }
        executor.runFirst()
        gate.open()

        if isRefusal {
            let result = try await joined.value
            #expect(result.value == 3 && result.isOwn)
        } else {
            await #expect(throws: CancellationError.self) { try await joined.value }
        }
    }

    @Test func `A cancelled request does not repeat a read that was refused to somebody else`() async throws {
        struct Refusal: Error {}
        let reads = TableReads<String, Int>()
        let (gate, executor) = (Gate(), FirstJobExecutor())
        _ = reads.read(for: "a") {
            try await gate.wait()
            return 1
        }
        _ = reads.read(for: "a") { throw Refusal() }

        let joined = Task(executorPreference: executor) { try await reads.value(for: "a", isRefusal: { $0 is Refusal }) { 3 } }
        executor.runFirst()
        joined.cancel()
        gate.open()

        await #expect(throws: CancellationError.self) { try await joined.value }
    }
}

// MARK: - Tables

extension TableReadsTests {
    private static let me = "http://a.org/api/v1/me"

    /// Reads a table while another page begins to read it, with a token that is not valid any more.
    private func joinedTable(
        verifiesToken: Bool, of other: @escaping @Sendable () async throws -> RenderedTable, _ backend: ScriptedExecutor
    ) async throws -> RenderedTable {
        let client = BackendClient(executor: backend)
        let api = APIClient(client, streams: client, origin: try #require(URL(string: "http://a.org")))
        let service = DispatchService(orders: OrderService(api: api, token: "revoked"))
        let (reads, gate, executor) = (TableReads<DispatchQuery, RenderedTable>(), Gate(), FirstJobExecutor())
        _ = reads.read(for: DispatchQuery(nil)) {
            try await gate.wait()
            return Self.empty
        }
        _ = reads.read(for: DispatchQuery(nil), other)
        let joined = Task(executorPreference: executor) {
            try await DispatchRoutes.table(DispatchQuery(nil), service, reads, verifiesToken: verifiesToken)
        }
        executor.runFirst()
        gate.open()
        return try await joined.value
    }

    private static var empty: RenderedTable {
        RenderedTable(
            .init(position: "e:1", rows: [], next: nil, counts: .init(states: [], attention: 0, couriers: []), people: [], webhook: nil))
    }

    @Test func `A table that another page has read is not shown without a valid token`() async throws {
        let backend = ScriptedExecutor()
        backend.script(Self.me, .response(status: .unauthorized))

        await #expect(throws: BackendError.self) {
            _ = try await joinedTable(verifiesToken: true, of: { Self.empty }, backend)
        }

        #expect(backend.requestedURLs == [Self.me])
        #expect(backend.requests.map { $0.headers[.authorization] } == ["Bearer revoked"])
    }

    @Test func `A table that another page has read after a change needs no further request`() async throws {
        let backend = ScriptedExecutor()

        _ = try await joinedTable(verifiesToken: false, of: { Self.empty }, backend)

        #expect(backend.requestedURLs == [])
    }

    @Test(arguments: [401, 403, 500]) func `A table that was refused to another page is read with the own token`(status: Int) async throws {
        let backend = ScriptedExecutor()
        let url = try #require(URL(string: "http://a.org/"))

        await #expect(throws: BackendError.self) {
            _ = try await joinedTable(verifiesToken: false, of: { throw BackendError.status(status, url) }, backend)
        }

        #expect(backend.requestedURLs.isEmpty == (status == 500))
    }
}
