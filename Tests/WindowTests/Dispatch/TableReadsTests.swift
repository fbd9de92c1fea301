import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

@testable import Window

@Suite("Dispatch: reads of tables")
struct TableReadsTests {
    private static let me = "http://a.org/api/v1/me"

    /// Reads a table while another page begins to read it, with a token that is not valid any more.
    private func joinedTable(
        verifiesToken: Bool, of other: @escaping @Sendable () async throws -> RenderedTable, _ backend: ScriptedExecutor
    ) async throws -> RenderedTable {
        let client = BackendClient(executor: backend)
        let api = APIClient(client, streams: client, origin: try #require(URL(string: "http://a.org")))
        let service = DispatchService(orders: OrderService(api: api, token: "revoked"))
        let (reads, gate, executor) = (JoinedReads<DispatchQuery, RenderedTable>(), Gate(), FirstJobExecutor())
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
