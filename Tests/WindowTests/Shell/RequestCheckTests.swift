import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import Testing

@testable import Window

/// Host names that a window accepts, over a socket.
@Suite struct RequestCheckTests {
    private func statuses(
        listeningOn host: String, allowing names: [String] = [], authorities: [String]
    ) async throws -> [HTTPResponse.Status] {
        let server = try await WindowServer(executor: ScriptedExecutor(), host: host, allowedNames: names)
        return try await server.application.test(.live) { running in
            try await TestClient.withClient(host: "127.0.0.1", port: try #require(running.port)) { client in
                var statuses: [HTTPResponse.Status] = []
                for authority in authorities {
                    statuses.append(try await client.execute(.init("/", method: .get, authority: authority, headers: [:])).status)
                }
                return statuses
            }
        }
    }

    @Test func `A loopback server accepts the names of the local machine`() async throws {
        let names = ["localhost", "localhost:8080", "LOCALHOST:1", "app.localhost:8080", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080"]

        let statuses = try await statuses(listeningOn: "127.0.0.1", authorities: names)

        #expect(statuses == names.map { _ in .ok })
    }

    @Test func `Another name that resolves to the local machine is refused`() async throws {
        let names = [
            "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.0.1", "[fe80::1]",
        ]

        let statuses = try await statuses(listeningOn: "127.0.0.1", authorities: names)

        #expect(statuses == names.map { _ in .misdirectedRequest })
    }

    @Test func `A server on all interfaces accepts addresses and allowed names`() async throws {
        let names = ["192.168.0.1:8080", "[fe80::1]", "localhost", "orders.example.org", "ORDERS.example.org:8080", "evil.example"]

        let statuses = try await statuses(listeningOn: "0.0.0.0", allowing: ["orders.example.org"], authorities: names)

        #expect(statuses == [.ok, .ok, .ok, .ok, .ok, .misdirectedRequest])
    }

    @Test func `An invalid host is refused`() async throws {
        let statuses = try await statuses(listeningOn: "127.0.0.1", authorities: ["a b", "localhost, evil.example", ""])

        #expect(statuses == [.badRequest, .badRequest, .badRequest])
    }

    @Test func `Every response refuses cross-origin embedding`() async throws {
        let server = try await WindowServer(executor: ScriptedExecutor())

        let policies = try await server.application.test(.live) { running in
            try await TestClient.withClient(host: "127.0.0.1", port: try #require(running.port)) { client in
                var policies: [String?] = []
                for path in ["/", "/nothing"] {
                    let response = try await client.execute(.init(path, method: .get, authority: "localhost", headers: [:]))
                    policies.append(response.headers[.crossOriginResourcePolicy])
                }
                return policies
            }
        }

        #expect(policies == ["same-origin", "same-origin"])
    }
}
