import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServerJourneys {
    /// Servers at their connection limits.
    @Suite struct LimitsJourneyTests {
        @Test func `The demo page leaves connections to its server for other programs`() async throws {
            let program = try Program.launch("run", "--port", "0", "--in-memory", "--connections-per-client", "1")
            var addresses: [String: String] = [:]
            for await line in program.output.lines {
                let words = line.split(separator: " at ", maxSplits: 1)
                addresses[String(words[0])] = words.last.map { String($0.prefix { $0 != " " }) }
                if line.hasPrefix("Lading is at ") { break }
            }

            let page = try await text(at: try #require(addresses["Lading is"]) + "orders")
            let list = try await text(at: try #require(addresses["The orders are served"]))

            #expect(page.contains("400 orders"))
            #expect(list.contains("order-400.xml"))
            #expect(await program.terminate() == 0)
        }

        #if os(Linux)
            private static let serving = "The orders are served at "
            /// The number of descriptors for connections, in addition to those of an idle server.
            private static let spare = 16
            /// The number of clients that wait. One could get a descriptor that the server has used for a file when it was counted.
            private static let waitingCount = 4

            @Test func `A server without descriptors waits, and serves again when connections are closed`() async throws {
                let arguments = ["serve", "--port", "0", "--in-memory", "--orders", "1", "--deliveries", "0"]
                let limit = try await descriptorsAtRest(arguments) + Self.spare
                let (server, list) = try await Program.start(arguments, descriptorLimit: limit, announcing: Self.serving)
                let port = try #require(URL(string: list)?.port)
                var clients: [TestClient] = []
                while let count = server.descriptorCount, count < limit {
                    let client = client(at: port)
                    #expect(try await Self.status(of: client) == .ok)
                    clients.append(client)
                }

                let waiting = (0..<Self.waitingCount).map { _ in client(at: port) }
                let pendingStatuses = waiting.map { client in Task { try await Self.status(of: client) } }
                defer { for status in pendingStatuses { status.cancel() } }
                let before = try #require(server.processorTime)
                // A server that does not pause retries endlessly from the second failure on, after a second: its processor time needs real seconds.
                try await Task.sleep(for: .seconds(3))
                let used = try #require(server.processorTime) - before

                #expect(!clients.isEmpty && server.descriptorCount == limit)
                #expect(used < .milliseconds(500))
                for client in clients { try await client.shutdown() }
                for status in pendingStatuses { #expect(try await status.value == .ok) }
                for client in waiting { try await client.shutdown() }
                #expect(await server.terminate() == 0)
            }

            private func descriptorsAtRest(_ arguments: [String]) async throws -> Int {
                let (server, _) = try await Program.start(arguments, announcing: Self.serving)
                let count = try #require(server.descriptorCount)
                #expect(await server.terminate() == 0)
                return count
            }

            /// Opens a client with its own connection.
            private func client(at port: Int) -> TestClient {
                let client = TestClient(host: "127.0.0.1", port: port)
                client.connect()
                return client
            }

            private static func status(of client: TestClient) async throws -> HTTPResponse.Status {
                try await client.execute(.init("/health", method: .get, authority: "localhost")).status
            }
        #endif

        private func text(at address: String) async throws -> String {
            let (data, _) = try await URLSession.shared.data(from: try #require(URL(string: address)))
            return String(decoding: data, as: UTF8.self)
        }
    }
}
