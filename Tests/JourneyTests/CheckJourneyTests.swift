import Foundation
import LadingTesting
import Testing

extension Journeys {
    /// `lading check` on intact and on damaged data directories.
    @Suite struct CheckJourneyTests {
        @Test func `Whole stores are listed, and one changed bit is found`() async throws {
            try await withTemporaryDirectory { folder in
                let server = StubOrderServer(documents: ["/d": "[{\"id\":1,\"description\":\"a certain text\"}]"])
                let loaded = try await server.serve { base in
                    try await Program.run("deliveries", "--deliveries-url", base + "/d", "--data", folder.path)
                }
                let whole = try await Program.run("check", "--data", folder.path)
                let store = folder.appending(path: "deliveries")
                let names = try FileManager.default.contentsOfDirectory(atPath: store.path)
                let name = try #require(names.first { $0.hasSuffix(".sqlite") })
                var bytes = try Data(contentsOf: store.appending(path: name))
                let offset = try #require(bytes.range(of: Data("a certain text".utf8))).lowerBound
                bytes[offset] ^= 1
                try bytes.write(to: store.appending(path: name))

                let damaged = try await Program.run("check", "--data", folder.path)

                #expect(loaded.code == 0)
                #expect(whole.code == 0 && whole.output == "deliveries/\(name): ok\n" && whole.error == "")
                #expect(damaged.code == 1)
                #expect(damaged.output == "deliveries/\(name): damaged: the file has changed since it was closed (checksum mismatch)\n")
                #expect(damaged.error == "lading: 1 of 1 stores are damaged\n")
            }
        }

        @Test func `Every changed bit in the database of an origin that was stopped is found`() async throws {
            try await withTemporaryDirectory { folder in
                let (origin, _) = try await Program.start(
                    "serve", "--port", "0", "--orders", "5", "--deliveries", "5", "--data", folder.path,
                    announcing: "The orders are served at ")
                #expect(await origin.terminate() == 0)
                let file = folder.appending(path: "origin.sqlite")
                let bytes = try Data(contentsOf: file)
                let whole = try await Program.run("check", "--data", folder.path)
                #expect(whole.code == 0 && whole.output.contains("origin.sqlite: ok\n"))

                var random = SeededRandom(for: "bits of an origin")
                for _ in 0..<20 {
                    let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
                    var changed = bytes
                    changed[bit / 8] ^= 1 << UInt8(bit % 8)
                    try changed.write(to: file)
                    let run = try await Program.run("check", "--data", folder.path)
                    #expect(run.code == 1 && run.output.contains("origin.sqlite: damaged: "), "bit \(bit)")
                }
            }
        }

        @Test func `An empty data directory has nothing to verify`() async throws {
            try await withTemporaryDirectory { folder in
                let run = try await Program.run("check", "--data", folder.path)

                #expect(run.code == 0 && run.output == "")
                #expect(run.error.hasPrefix("lading: no stores in "))
            }
        }
    }
}
