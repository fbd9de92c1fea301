import Foundation
import LadingTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServerJourneys {
    /// Servers with injected faults, and slow links.
    @Suite struct SimulationJourneyTests {
        private static let serving = "The orders are served at "
        private static let showing = "Lading is at "

        @Test func `A list whose every response fails is reported`() async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "5", "--faults", "1,500", announcing: Self.serving)

            let run = try await Program.run("orders", "--orders-url", list)

            #expect(run.code == 1)
            #expect(run.error.contains("500") && run.error.split(separator: "\n").count == 1)
            #expect(await origin.terminate() == 0)
            #expect(await origin.error.text() == "")
        }

        @Test func `A failed request is retried unless retries are disabled`() async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "40", "--faults", "20%,500,hangup", "--faults-seed", "3",
                announcing: Self.serving)

            let withRetries = try await Program.run("orders", "--json", "--orders-url", list, "--retries", "8")
            let withoutRetries = try await Program.run("orders", "--json", "--orders-url", list, "--retries", "0")

            #expect(withRetries.code == 0, "\(withRetries.error)")
            #expect(withoutRetries.code == 1)
            #expect(await origin.terminate() == 0)
        }

        /// Tests only invariants: the failing responses depend on the order of requests, and may include items of the catalog.
        @Test func `When some orders fail, they are counted and the others are printed`() async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "40", "--faults", "30%,truncate,malformed", "--faults-seed", "1",
                announcing: Self.serving)

            let run = try await Program.run("orders", "--json", "--orders-url", list)

            #expect(run.code == 1)
            let orders = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
            let failed = orders.count { $0["state"] as? String == "failed" }
            #expect(orders.count == 40 && (1..<40).contains(failed))
            #expect(run.error.hasPrefix("lading: \(failed) of 40 orders could not be loaded"))
            #expect(await origin.terminate() == 0)
        }

        @Test func `Orders are complete across a lossy link`() async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "10", "--link", "lossy", announcing: Self.serving)

            let run = try await Program.run("orders", "--json", "--orders-url", list)

            #expect(run.code == 0)
            let orders = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
            #expect(orders.count == 10 && orders.allSatisfy { $0["state"] as? String == "loaded" })
            #expect(await origin.terminate() == 0)
            #expect(await origin.error.text() == "")
        }

        @Test func `The demo starts across a link and prints the direct address`() async throws {
            let program = try Program.launch("run", "--port", "0", "--in-memory", "--link", "wifi")
            var addresses: [String: String] = [:]
            for await line in program.output.lines {
                let words = line.split(separator: " at ", maxSplits: 1)
                addresses[String(words[0])] = words.last.map { String($0.prefix { $0 != " " }) }
                if line.hasPrefix(Self.showing) { break }
            }

            let page = try await text(at: try #require(addresses["Lading is"]) + "orders")
            let direct = try await text(at: try #require(addresses["Without the link they are"]))

            #expect(page.contains("400 orders"))
            #expect(addresses["The orders are served"] != addresses["Without the link they are"])
            #expect(direct.contains("order-400.xml"))
            #expect(await program.terminate() == 0)
            #expect(await program.error.text() == "")
        }

        @Test func `A server across a link prints the direct address`() async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "10", "--link", "edge", announcing: "Without the link they are at ")

            #expect(try await text(at: list).contains("order-10.xml"))
            #expect(await origin.terminate() == 0)
        }

        @Test func `The origin counts its requests`() async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "30", announcing: Self.serving)

            _ = try await Program.run("orders", "--orders-url", list)
            let counts = try await text(at: try #require(URL(string: "/-/counts", relativeTo: URL(string: list))?.absoluteString))

            #expect(counts.contains("\"orders\":30"))
            #expect(await origin.terminate() == 0)
        }

        @Test func `Deliveries are at the printed address and change with the original faults`() async throws {
            let (origin, page) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--deliveries", "30", "--faults", "original",
                announcing: "The deliveries are served at ")
            var texts: [String] = []

            while texts.count < 2 {
                let text = try await text(at: page)
                if text.hasPrefix("[{\"id\":0,") { texts.append(text) } else { #expect(text == "Internal Server Error\n") }
            }

            #expect(page.hasSuffix("/deliveries?offset=0&limit=20"))
            #expect(texts[0] != texts[1])
            #expect(await origin.terminate() == 0)
        }

        @Test func `A link port in use is reported and the origin stops`() async throws {
            let (origin, list) = try await Program.start("serve", "--port", "0", "--in-memory", announcing: Self.serving)
            let port = try #require(URL(string: list)?.port)

            let run = try await Program.run("serve", "--port", "\(port)", "--in-memory", "--link", "3g")

            #expect(run.code == 1)
            #expect(run.error.contains("Port \(port)") && run.error.split(separator: "\n").count == 1)
            #expect(await origin.terminate() == 0)
        }

        @Test(arguments: [
            (["serve", "--link", "5g"], ["wifi", "lte", "dsl", "3g", "edge", "lossy"]),
            (["run", "--link", "5g"], ["wifi", "lte", "dsl", "3g", "edge", "lossy"]),
            (["serve", "--faults", "2"], ["from 0 to 1"]),
            (["orders", "--retries", "11"], ["from 0 to 10"]),
            (["serve", "--faults", "0.5,404"], ["500, delay, hangup, truncate, malformed"]),
            (["serve", "--faults", "originally"], ["or original"]),
            (["serve", "--deliveries", "1000001"], ["from 0 to 1000000"]),
            (["run", "--origin", "http://127.0.0.1:1", "--deliveries", "5"], ["--deliveries"]),
            (["serve", "--faults-seed", "2"], ["--faults or --link"]),
            (["run", "--origin", "http://127.0.0.1:1", "--link", "3g"], ["--link"]),
            (["run", "--orders-url", "http://127.0.0.1:1/o.plist", "--faults", "1"], ["--faults"]),
        ])
        func `A usage error ends with 64 and lists the valid values`(arguments: [String], words: [String]) async throws {
            let run = try await Program.run(arguments)

            #expect(run.code == 64)
            #expect(words.allSatisfy(run.error.contains))
            #expect(run.output == "")
        }

        private func text(at address: String) async throws -> String {
            let (data, _) = try await URLSession.shared.data(from: try #require(URL(string: address)))
            return String(decoding: data, as: UTF8.self)
        }
    }
}
