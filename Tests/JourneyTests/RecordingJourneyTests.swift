import Foundation
import LadingTesting
import TemporaryFolders
import Testing

extension Journeys {
    /// Recording and replaying of HTTP exchanges.
    @Suite struct RecordingJourneyTests {
        @Test func `A recording is replayed without the server`() async throws {
            try await withTemporaryFolder { directory in
                let (origin, list) = try await Program.start(
                    "serve", "--port", "0", "--in-memory", "--orders", "20", announcing: "The orders are served at ")
                let recorded = try await Program.run("orders", "--json", "--orders-url", list, "--record", directory.path)
                #expect(await origin.terminate() == 0)

                let replayed = try await Program.run("orders", "--json", "--orders-url", list, "--replay", directory.path)

                #expect(recorded.code == 0)
                #expect(replayed.code == 0)
                #expect(replayed.error == "")
                #expect(replayed.output == recorded.output)
            }
        }

        @Test func `A request that was not recorded is reported`() async throws {
            try await withTemporaryFolder { directory in
                let run = try await Program.run("orders", "--orders-url", "http://127.0.0.1:1/o.plist", "--replay", directory.path)

                #expect(run.code == 1)
                #expect(run.error == "lading: no recorded response for GET http://127.0.0.1:1/o.plist: record it first\n")
            }
        }

        @Test func `A missing recording is reported`() async throws {
            let run = try await Program.run("orders", "--replay", "/nowhere/at/all")

            #expect(run.code == 1)
            #expect(run.error == "lading: no recording in /nowhere/at/all: create one with \"--record /nowhere/at/all\"\n")
        }

        @Test func `Recording a replay is a usage error`() async throws {
            let run = try await Program.run("orders", "--record", "a", "--replay", "b")

            #expect(run.code == 64)
        }
    }
}
