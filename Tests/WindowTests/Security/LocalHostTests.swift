import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import Testing

@testable import Window

/// Which names a window answers to, over a socket.
@Suite struct LocalHostTests {
    private func statuses(listeningOn host: String, asking authorities: [String]) async throws -> [HTTPResponse.Status] {
        let server = try await WindowServer(showing: ScriptedExecutor(), on: host)
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
            "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.0.1", "[fe80::1]", "a b",
        ]

        let statuses = try await statuses(listeningOn: "127.0.0.1", asking: names)

        #expect(statuses == names.map { _ in .misdirectedRequest })
    }

    @Test func `A window for other machines answers to every name`() async throws {
        let statuses = try await statuses(listeningOn: "0.0.0.0", asking: ["orders.example.org", "192.168.0.1:8080", "localhost"])

        #expect(statuses == [.ok, .ok, .ok])
    }
}
