import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import Testing

@testable import Window

/// Which names a window answers to, over a socket.
@Suite struct RequestCheckTests {
    private func statuses(
        listeningOn host: String, allowing names: [String] = [], asking authorities: [String]
    ) async throws -> [HTTPResponse.Status] {
        let server = try await WindowServer(showing: ScriptedExecutor(), on: host, allowing: names)
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

    @Test func `On this machine alone it answers to the names of this machine`() async throws {
        let names = ["localhost", "localhost:8080", "LOCALHOST:1", "app.localhost:8080", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080"]

        let statuses = try await statuses(listeningOn: "127.0.0.1", asking: names)

        #expect(statuses == names.map { _ in .ok })
    }

    @Test func `A stranger's name that leads to this machine is refused`() async throws {
        let names = [
            "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.0.1", "[fe80::1]",
        ]

        let statuses = try await statuses(listeningOn: "127.0.0.1", asking: names)

        #expect(statuses == names.map { _ in .misdirectedRequest })
    }

    @Test func `A window for other machines answers to addresses and to the names that it was given`() async throws {
        let names = ["192.168.0.1:8080", "[fe80::1]", "localhost", "orders.example.org", "ORDERS.example.org:8080", "evil.example"]

        let statuses = try await statuses(listeningOn: "0.0.0.0", allowing: ["orders.example.org"], asking: names)

        #expect(statuses == [.ok, .ok, .ok, .ok, .ok, .misdirectedRequest])
    }

    @Test func `A host that cannot exist is refused`() async throws {
        let statuses = try await statuses(listeningOn: "127.0.0.1", asking: ["a b", "localhost, evil.example", ""])

        #expect(statuses == [.badRequest, .badRequest, .badRequest])
    }

    @Test func `No page of another site can embed a response, found ones or not`() async throws {
        let server = try await WindowServer(showing: ScriptedExecutor())

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
