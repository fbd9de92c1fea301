import Foundation
import LadingTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Journeys {
    /// Servers with as many clients as they take.
    @Suite struct LimitsJourneyTests {
        @Test func `The page of the demo does not use up the connections of other programs to its server`() async throws {
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
            #expect(await program.stop() == 0)
        }

        private func text(at address: String) async throws -> String {
            let (data, _) = try await URLSession.shared.data(from: try #require(URL(string: address)))
            return String(decoding: data, as: UTF8.self)
        }
    }
}
