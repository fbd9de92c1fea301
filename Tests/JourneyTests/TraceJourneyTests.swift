import Foundation
import LadingTesting
import TemporaryFolders
import Testing

extension Journeys {
    /// The traces of the engine's decisions.
    @Suite struct TraceJourneyTests {
        private struct Event: Decodable {
            let ph: String
            let name: String
            var id: Int?
        }

        @Test func `A trace has a track for each exchange, from its beginning to its end`() async throws {
            try await withTemporaryFolder { directory in
                let (origin, list) = try await Program.start(
                    "serve", "--port", "0", "--in-memory", "--orders", "5", announcing: "The orders are served at ")
                let file = directory.appending(path: "trace.json")

                let run = try await Program.run("orders", "--orders-url", list, "--trace", file.path)

                #expect(await origin.terminate() == 0)
                #expect(run.code == 0)
                let events = try JSONDecoder().decode([Event].self, from: Data(contentsOf: file))
                for order in 1...5 {
                    let track = events.filter { $0.name.hasSuffix("/order-\(order).xml") }
                    #expect(track.map(\.ph) == ["b", "e"], "order \(order)")
                }
            }
        }

        @Test(arguments: [["transfers"], ["transfers", "list", "--json"], ["download", "http://127.0.0.1:1/file", "--background"]])
        func `A command without requests writes an empty trace`(command: [String]) async throws {
            try await withTemporaryFolder { directory in
                let file = directory.appending(path: "trace.json")

                let run = try await Program.run(command + ["--data", directory.appending(path: "data").path, "--trace", file.path])

                #expect(run.code == 0)
                #expect(try JSONDecoder().decode([Event].self, from: Data(contentsOf: file)).isEmpty)
            }
        }

        @Test func `An unwritable trace is reported before any request`() async throws {
            let run = try await Program.run("orders", "--orders-url", "http://127.0.0.1:1/o.plist", "--trace", "/nowhere/trace.json")

            #expect(run.code == 1)
            #expect(run.error.hasPrefix("lading: cannot write the trace to /nowhere/trace.json"))
        }
    }
}
