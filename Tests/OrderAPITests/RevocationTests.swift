import HTTPTypes
import Hummingbird
import NIOCore
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import Synchronization
import Testing

@testable import OrderAPI

/// Requests whose sender is revoked before their end.
@Suite("API: revocation")
struct RevocationTests {
    private static let (mina, ada) = (OrderAPIFixture.mina, OrderAPIFixture.ada)
    private static let note = "orders/1/proofs/\(digest([UInt8]("Left at the door".utf8)))?kind=note&type=text/plain"

    /// A request that takes effect when its body has arrived.
    struct Slow: Sendable {
        let method: HTTPRequest.Method
        let path: String
        var person = RevocationTests.mina
        var headers: HTTPFields = [:]
        var body = "{}"
    }

    private static let requests = [
        Slow(method: .post, path: "orders", person: ada, body: OrderAPIFixture.breakfast),
        Slow(method: .put, path: "orders/1", person: ada, body: OrderAPIFixture.breakfast.replacing("Breakfast", with: "Lunch")),
        Slow(method: .post, path: "orders/1/cancel", person: ada),
        Slow(method: .post, path: "orders/1/attempt", headers: [.ifMatch: "\"1\""], body: #"{"reason":"refused"}"#),
        Slow(method: .post, path: "people", person: ada, body: #"{"name":"Eve","role":"dispatcher"}"#),
        Slow(
            method: .post, path: "positions", body: #"{"positions":[{"at":"2026-05-15T12:00:00Z","latitude":40.7,"longitude":-74}]}"#),
        Slow(method: .put, path: note, headers: [.contentType: "text/plain"], body: "Left at the door"),
        Slow(
            method: .patch, path: note,
            headers: [.contentType: "application/partial-upload", .uploadOffset: "0", .uploadComplete: "?1"], body: "Left at the door"),
        Slow(method: .post, path: "imports", person: ada, body: "title,price,currency,address\nSoup,12.50,EUR,1 Ash Street\n"),
    ]

    @Test(arguments: requests) func `A request whose sender is revoked while its body arrives changes nothing`(
        _ request: Slow
    ) async throws {
        let fixture = try await OrderAPIFixture()
        _ = try await fixture.arrivedOrder()
        let position = try await fixture.store.position()

        let response = try await fixture.respond(
            to: request.method, request.path, as: request.person, sending: request.body, headers: request.headers
        ) {
            try await fixture.store.revoke(PersonID(rawValue: request.person), at: OrderAPIFixture.start)
        }

        #expect(response.status == .unauthorized)
        #expect(try await fixture.store.position() == position)
        #expect(try await fixture.store.people().count == 3)
        #expect(try await fixture.store.lastPositions().isEmpty)
        #expect(try await fixture.store.proofs(ofOrder: 1).isEmpty)
        #expect(try await fixture.store.unfinishedImports().isEmpty)
    }

    @Test func `An export fails when its reader is revoked`() async throws {
        let fixture = try await OrderAPIFixture()
        try await fixture.createOrders(BoardQuery.limitOfPage + 1)
        let response = try await fixture.respond(to: .get, "export", as: Self.ada)
        let parts = Mutex(0)

        await #expect(throws: APIProblem.self) {
            let body = response.body
            try await body.write(
                ObservedWriter { _ in
                    parts.withLock { $0 += 1 }
                    try await fixture.store.revoke(PersonID(rawValue: Self.ada), at: OrderAPIFixture.start)
                })
        }

        #expect(parts.withLock(\.self) == 1)
    }

    @Test func `Stored changes of a stream end when its reader is revoked`() async throws {
        let fixture = try await OrderAPIFixture()
        let start = try await fixture.store.position()
        try await fixture.createOrders(600)
        let ada = try #require(try await fixture.store.person(PersonID(rawValue: Self.ada)))
        let events = Mutex(0)
        var writer: any ResponseBodyWriter = ObservedWriter { buffer in
            let count = String(buffer: buffer).ranges(of: "event: change").count
            events.withLock { $0 += count }
            if count > 0 { try await fixture.store.revoke(ada.id, at: OrderAPIFixture.start) }
        }

        let end = try await fixture.api.writeBacklog(for: ada, with: SecretHash(ofSecret: Self.ada), after: start, to: &writer)

        #expect(end == nil)
        #expect(events.withLock(\.self) == 500)
    }
}

/// A writer of a body that calls a closure with each part.
private struct ObservedWriter: ResponseBodyWriter {
    let receive: @Sendable (ByteBuffer) async throws -> Void

    init(_ receive: @escaping @Sendable (ByteBuffer) async throws -> Void) {
        self.receive = receive
    }

    func write(_ buffer: ByteBuffer) async throws { try await receive(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension OrderAPIFixture {
    /// Creates orders by an import.
    fileprivate func createOrders(_ count: Int) async throws {
        let rows = (1...count).map { "Order \($0),12.50,EUR,\($0) Ash Street\n" }
        let response = try await send(.post, "imports", as: Self.ada, body: "title,price,currency,address\n" + rows.joined())
        #expect(response["created"] as? Int == count)
    }
}
