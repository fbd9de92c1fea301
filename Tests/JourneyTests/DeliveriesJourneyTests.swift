import Foundation
import LadingTesting
import TemporaryFolders
import Testing

extension Journeys {
    /// `lading deliveries` with real servers, online and offline.
    @Suite final class DeliveriesJourneyTests: Sendable {
        private static let serving = "The deliveries are served at "
        private let temporaryFolder: TemporaryFolder
        private var folder: URL { temporaryFolder.url }

        init() throws {
            temporaryFolder = try TemporaryFolder(named: "deliveries")
        }

        /// Runs `lading deliveries` for a list, with the test's data directory.
        private func deliveries(_ list: String, _ options: String...) async throws -> Program.Outcome {
            try await Program.run(["deliveries", "--data", folder.path, "--deliveries-url", list] + options)
        }

        private func rows(_ run: Program.Outcome) throws -> [[String: Any]] {
            try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        }

        private func ids(_ run: Program.Outcome) throws -> [String?] { try rows(run).map { $0["id"] as? String } }

        private func origin(_ options: String...) async throws -> (program: ChildProcess, address: String) {
            try await Program.start(["serve", "--port", "0", "--in-memory", "--orders", "1"] + options, announcing: Self.serving)
        }

        @Test func `Fetched deliveries are listed, searched and sorted offline`() async throws {
            let (origin, list) = try await origin("--deliveries", "50")
            let fetched = try await deliveries(list, "--count", "30", "--json")
            #expect(fetched.code == 0)
            #expect(fetched.error == "")
            #expect(try ids(fetched) == (0..<30).map(String.init))
            let titles = try rows(fetched).compactMap { $0["title"] as? String }
            #expect(titles.count == 30 && titles.allSatisfy { $0.hasPrefix("Deliver ") })
            #expect(await origin.terminate() == 0)

            let offline = try await deliveries(list, "--offline", "--json")
            #expect(offline.code == 0)
            #expect(try ids(offline) == (0..<40).map(String.init))
            #expect(offline.error.hasPrefix("lading: 40 stored deliveries, fetched "))

            let name = try #require(titles[7].split(separator: " ").last)
            let found = try await deliveries(list, "--offline", "--json", "--search", String(name).uppercased())
            #expect(try ids(found).contains("7"))
            #expect(try rows(found).count < 40)
            let sorted = try await deliveries(list, "--offline", "--json", "--sort", "title", "--count", "5")
            let sortedTitles = try rows(sorted).compactMap { $0["title"] as? String }
            #expect(sortedTitles.count == 5 && sortedTitles == sortedTitles.sorted())
            let near = try await deliveries(list, "--offline", "--json", "--near", "40.7,-73.9")
            #expect(try rows(near).allSatisfy { $0["latitude"] is Double })

            let failed = try await deliveries(list)
            #expect(failed.code == 1)
            #expect(failed.output.split(separator: "\n").count == 21)
            #expect(failed.error.contains("20 stored deliveries, fetched ") && failed.error.contains("cannot reach 127.0.0.1"))
            #expect(failed.error.contains("check the URL of --deliveries-url"))
        }

        @Test func `The later version of the list has a table with routes and fees`() async throws {
            let (origin, list) = try await origin("--deliveries", "25")
            let run = try await deliveries(list.replacing("/deliveries", with: "/v2/deliveries"), "--count", "100", "--sort", "feeDown")

            let lines = run.output.split(separator: "\n")
            #expect(run.code == 0)
            #expect(lines.count == 26)
            #expect(lines[0].contains("Pickup") && lines[0].contains("Fee"))
            #expect(lines.dropFirst().allSatisfy { $0.contains("From ") && $0.contains("$") })
            #expect(await origin.terminate() == 0)
        }

        @Test func `A hundred deliveries are fetched once each despite the original faults`() async throws {
            let (origin, list) = try await origin("--deliveries", "200", "--faults", "original")
            let run = try await deliveries(list, "--count", "100", "--json", "--retries", "6")

            #expect(run.code == 0)
            #expect(try ids(run) == (0..<100).map(String.init))
            #expect(await origin.terminate() == 0)
        }

        @Test func `A second program reads the stored deliveries and names the lock owner`() async throws {
            let (origin, list) = try await origin("--deliveries", "20")
            _ = try await deliveries(list)
            let (requests, report) = AsyncStream<Void>.makeStream()

            let (folder, silent) = (folder.path, StubOrderServer(documents: [:], onRequest: { report.yield() }, responseLimit: 0))
            let second = try await silent.serve { [self] base in
                let first = try Program.launch("deliveries", "--data", folder, "--deliveries-url", base + "/deliveries")
                for await _ in requests { break }
                let second = try await deliveries(list, "--json")
                let other = try await deliveries(base + "/others", "--offline")
                first.signal(SIGINT)
                #expect(await first.waitForExit() == 130)
                #expect(other.code == 1 && other.error.contains("no stored deliveries; the deliveries in "))
                return second
            }

            #expect(second.code == 0)
            #expect(try ids(second).count == 20)
            #expect(second.error.contains("in use by process") && second.error.contains("20 stored deliveries, fetched "))
            #expect(await origin.terminate() == 0)
        }

        @Test func `Invalid rows are skipped and counted and a server without paging is detected`() async throws {
            let rows = (0..<25).map { $0 == 3 ? "null" : "{\"id\": \($0), \"description\": \"d\\u001B[31m\($0)\"}" }
            let run = try await StubOrderServer(documents: ["/d": "[\(rows.joined(separator: ","))]"]).serve { [self] base in
                try await deliveries(base + "/d", "--count", "60")
            }

            #expect(run.code == 0)
            #expect(run.output.split(separator: "\n").count == 25)
            #expect(!run.output.contains("\u{1B}"))
            #expect(run.error.contains("invalid rows") && run.error.contains("the same deliveries on every page"))
        }

        @Test func `Pages that bring nothing new do not end a download`() async throws {
            let list = { (rows: [String]) in "[\(rows.joined(separator: ","))]" }
            let rows = { (ids: Range<Int>) in list(ids.map { "{\"id\": \($0), \"description\": \"d\"}" }) }
            let documents = [
                "/d?offset=0&limit=20": rows(0..<20), "/d?offset=20&limit=20": rows(0..<20),
                "/d?offset=40&limit=20": list(Array(repeating: "null", count: 20)), "/d?offset=60&limit=20": rows(20..<25),
            ]
            let run = try await StubOrderServer(documents: documents).serve { [self] base in
                try await deliveries(base + "/d", "--count", "60")
            }

            #expect(run.code == 0)
            #expect(run.output.split(separator: "\n").count == 26)
            #expect(!run.error.contains("on every page"))
        }

        @Test(arguments: [("<html>", "web page"), ("{\"id\":1}", "an object"), ("[{\"id\":1", "JSON"), ("", "empty")])
        func `A response that is not a list is reported with its content`(_ document: String, _ words: String) async throws {
            let run = try await StubOrderServer(documents: ["/d": document]).serve { [self] base in try await deliveries(base + "/d") }

            #expect(run.code == 1)
            #expect(run.error.contains("cannot read d: ") && run.error.contains(words))
        }

        @Test func `--offline without stored deliveries gives a hint`() async throws {
            let run = try await deliveries("http://127.0.0.1:1/deliveries", "--offline")

            #expect(run.code == 1)
            #expect(
                run.error == "lading: no stored deliveries: run \"lading deliveries\" without --offline first\n")
        }

        @Test func `An empty list and an empty search result are reported`() async throws {
            let (none, search) = try await StubOrderServer(documents: ["/d": "[]", "/e": "[{\"id\":1,\"description\":\"a\"}]"]).serve {
                [self] base in
                (try await deliveries(base + "/d", "--json"), try await deliveries(base + "/e", "--search", "zebra"))
            }

            #expect(none.code == 0 && none.output == "[]\n" && none.error == "lading: no deliveries\n")
            #expect(search.code == 0 && search.output == "" && search.error == "lading: no matching deliveries\n")
        }

        @Test func `A damaged store is quarantined and reported`() async throws {
            let run = try await StubOrderServer(documents: ["/d": "[{\"id\":1,\"description\":\"a\"}]"]).serve { [self] base in
                _ = try await deliveries(base + "/d")
                let store = folder.appending(path: "deliveries")
                for name in try FileManager.default.contentsOfDirectory(atPath: store.path) where name.hasSuffix(".sqlite") {
                    try Data(repeating: 7, count: 8_192).write(to: store.appending(path: name))
                }
                return try await deliveries(base + "/d")
            }

            #expect(run.code == 0)
            #expect(run.error.contains("was damaged: moved it to "))
            #expect(run.output.split(separator: "\n").count == 2)
        }

        @Test func `The demo prints the address of its deliveries`() async throws {
            let (program, list) = try await Program.start(
                "run", "--port", "0", "--in-memory", "--orders", "1", "--deliveries", "3", announcing: Self.serving)
            let run = try await deliveries(list, "--json")

            #expect(try ids(run) == ["0", "1", "2"])
            #expect(await program.terminate() == 0)
        }
    }
}
