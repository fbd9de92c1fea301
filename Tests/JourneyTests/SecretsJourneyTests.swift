import Foundation
import LadingTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Journeys {
    /// Secrets in addresses reach the server, and nothing that the program prints or writes for people.
    @Suite struct SecretsJourneyTests {
        private static let query = "?access_token=hunter2-a&key=hunter2-k&sig=hunter2-s"

        private let server = ForeignServer(
            documents: ["/d": "[{\"id\":1,\"description\":\"a\"}]", "/o.plist": "<html>", "/file.bin": "bytes"])

        /// The files below a directory in which a secret occurs, and the names in which one does.
        private func leaks(in directory: URL) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter { name in
                let content = (try? Data(contentsOf: directory.appending(path: name))) ?? Data()
                return name.contains("hunter2") || content.range(of: Data("hunter2".utf8)) != nil
            }
        }

        @Test(arguments: [
            ["orders", "--orders-url", "BASE/o.plist"], ["order", "1", "--orders-url", "BASE/o.plist"],
            ["deliveries", "--deliveries-url", "BASE/d"], ["deliveries", "--deliveries-url", "BASE/none"],
            ["download", "BASE/file.bin", "--to", "FOLDER/file.bin"], ["download", "BASE/none", "--to", "FOLDER/none"],
            ["upload", "FOLDER/source", "--to", "BASE/none"],
        ])
        func `No command prints, traces or records a secret`(command: [String]) async throws {
            try await withTemporaryDirectory { folder in
                let shown = folder.appending(path: "shown")
                try FileManager.default.createDirectory(at: shown, withIntermediateDirectories: true)
                try Data("source".utf8).write(to: shown.appending(path: "source"))

                let runs = try await server.serve { base in
                    let data = command[0].hasPrefix("order") ? [] : ["--data", folder.appending(path: "data").path]
                    let arguments = command.map { word in
                        word.replacing("BASE", with: base).replacing("FOLDER", with: shown.path)
                            + (word.hasPrefix("BASE") ? Self.query : "")
                    }
                    let outputs = ["--trace", shown.appending(path: "trace.json").path, "--record", shown.appending(path: "record").path]
                    return [
                        try await Program.run(arguments + outputs + data),
                        try await Program.run("transfers", "--json", "--data", folder.appending(path: "data").path),
                    ]
                }

                for run in runs { #expect(!run.output.contains("hunter2") && !run.error.contains("hunter2")) }
                #expect(try leaks(in: shown) == [])
                let trace = try String(contentsOf: shown.appending(path: "trace.json"), encoding: .utf8)
                #expect(trace.contains("access_token=REDACTED&key=REDACTED&sig=REDACTED"))
            }
        }

        @Test func `A window shows and traces no secret`() async throws {
            try await withTemporaryDirectory { folder in
                let trace = folder.appending(path: "trace.json")
                let (pages, run) = try await server.serve { base in
                    let (window, address) = try await Program.start(
                        [
                            "window", "--port", "0", "--in-memory", "--retries", "0", "--trace", trace.path,
                            "--orders-url", base + "/o.plist" + Self.query, "--deliveries-url", base + "/none" + Self.query,
                        ], announcing: "Lading is at ")
                    var pages = ""
                    for path in ["orders?plain=1", "deliveries?plain=1", "operations"] {
                        let (data, _) = try await URLSession.shared.data(from: try #require(URL(string: address + path)))
                        pages += String(decoding: data, as: UTF8.self)
                    }
                    let code = await window.stop()
                    let (output, error) = (await window.output.text(), await window.error.text())
                    return (pages, Program.Outcome(code: code, output: output, error: error))
                }

                #expect(run.code == 0)
                #expect(!pages.contains("hunter2"))
                #expect(!run.output.contains("hunter2") && !run.error.contains("hunter2"))
                #expect(try leaks(in: folder) == [])
                #expect(try String(contentsOf: trace, encoding: .utf8).contains("access_token=REDACTED"))
            }
        }
    }
}
