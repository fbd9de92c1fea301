import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Origin

@Suite("Counts of an origin", .timeLimit(.minutes(10)))
struct CountRoutesTests {
    @Test func `Counts are served as JSON`() async throws {
        let origin = try await makeOrigin()
        origin.metrics.change {
            $0.count(requestFor: .order(1))
            $0.count(.completed)
        }

        let response = try await origin.response(to: "/-/counts")

        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(
            response.text == """
                {"completed":1,"cutOff":0,"files":{"received":0,"sent":0},"hungUp":0,"requests":{"deliveries":0,"favourites":0,"items":0,"lists":0,"orders":1,"photoLists":0,"photos":0,"pictures":0}}
                """)
    }

    @Test func `DELETE resets the counts`() async throws {
        let origin = try await makeOrigin()
        origin.metrics.change { $0.count(requestFor: .order(1)) }

        let response = try await origin.response(to: "/-/counts", method: .delete)

        #expect(response.status == .noContent)
        #expect(origin.metrics.counts == RequestCounts())
    }

    @Test func `Counts cannot be written`() async throws {
        let response = try await makeOrigin().response(to: "/-/counts", method: .post)

        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "GET, HEAD, DELETE")
    }

    @Test func `Requests over a socket are counted to their end`() async throws {
        let origin = try await RunningOrigin()

        try await origin.run { address in
            let port = try #require(address.port)
            try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
                for name in ["orders.plist", "order-1.xml", "order-999.xml", "item-1.svg"] {
                    _ = try await client.execute(.init("/swift-concurrency/\(name)", method: .get, authority: "localhost"))
                }
                _ = try await client.execute(.init("/health", method: .get, authority: "localhost"))
            }
        }

        #expect(origin.counts.requestRow == [1, 2, 0, 1])
        #expect(origin.counts.outcomeRow == [4, 0, 0])
    }

    @Test func `A client that closes during a response is counted as client-closed`() async throws {
        let origin = try await RunningOrigin(orders: 100_000)

        _ = try await origin.run { try await Socket.response(from: $0, to: "/swift-concurrency/orders.plist", upTo: 1_000) }

        #expect(origin.counts.outcomeRow == [0, 1, 0])
    }
}
