import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import ScriptedServers
import TemporaryFolders
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Journeys {
    /// Secrets in URLs, header fields and variables, which may reach only the server, and no output or file for users.
    ///
    /// The stores of a data directory need complete URLs: the journal of transfers to resume them, caches as keys. These files are private (0600).
    @Suite struct SecretsJourneyTests {
        /// A substring of all secrets.
        static let mark = "hunter2"
        static let query = "?access_token=hunter2-a&key=hunter2-k&sig=hunter2-s&X-Amz-Signature=hunter2-x"
        private static let redactedQuery = "access_token=REDACTED&key=REDACTED&sig=REDACTED&X-Amz-Signature=REDACTED"
        /// The stores that may contain URLs with secrets: files and folders of a data directory.
        private static let stores = ["transfers.sqlite", "deliveries", "feeds", "pictures", "proxy"]

        private let server = StubOrderServer(
            documents: [
                "/d": "[{\"id\":1,\"description\":\"a\"}]", "/o.plist": "<html>", "/file.bin": "bytes",
                "/list.plist": #"<plist version="1.0"><dict><key>1</key><string>BASE/1.xml</string></dict></plist>"#,
                "/1.xml": "<order><title>a</title><items><item><id>3</id></item></items></order>",
                "/api/rovers/spirit/photos":
                    #"{"photos":[{"id":1,"sol":1,"camera":{"name":"FHAZ"},"img_src":"BASE/1.gif?sig=hunter2-i"}]}"#,
            ])

        // MARK: Detection

        /// Returns the files in a directory whose name or content contains a secret.
        private func leaks(in directory: URL) throws -> [String] { try directory.files(containing: Self.mark) }

        /// Expects that a data directory has secrets only in stores, readable only by their owner, and in no file name.
        private func expectPrivate(_ data: URL) throws {
            for name in try leaks(in: data) {
                let mode = try FileManager.default.attributesOfItem(atPath: data.appending(path: name).path)[.posixPermissions] as? Int
                #expect(Self.stores.contains { name.hasPrefix($0) }, "\(name)")
                #expect(mode.map { $0 & 0o077 } == 0, "\(name)")
                #expect(!name.contains(Self.mark), "\(name)")
            }
        }

        func expectNoSecret(in run: Program.Outcome) {
            #expect(!run.output.contains(Self.mark), "\(run.output)")
            #expect(!run.error.contains(Self.mark), "\(run.error)")
        }

        func outcome(of program: ChildProcess) async -> Program.Outcome {
            let code = await program.terminate()
            return Program.Outcome(code: code, output: await program.output.text(), error: await program.error.text())
        }

        /// Returns the address of the server with a user name and a password.
        private func signedIn(_ base: String) -> String { base.replacing("http://", with: "http://jane:hunter2&u@") }

        /// Returns the text of a page.
        private func text(at address: String, token: String? = nil) async throws -> String {
            var request = URLRequest(url: try #require(URL(string: address)))
            if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            let (data, _) = try await URLSession.shared.data(for: request)
            return String(decoding: data, as: UTF8.self)
        }

        /// Returns the beginning of an event stream, up to a word.
        private func events(at address: String, until word: String) async throws -> String {
            let message = RequestMessage(url: try #require(URL(string: address)), headers: [.acceptEncoding: "identity"])
            return try await URLSessionExecutor().execute(message, timeLimit: .seconds(60)) { _, body in
                var text = ""
                for try await chunk in body {
                    text += String(decoding: chunk, as: UTF8.self)
                    if text.contains(word) { break }
                }
                return text
            }
        }

        /// Posts a form, and returns the text of the page that follows.
        private func post(_ form: String, to address: String) async throws -> String {
            var request = URLRequest(url: try #require(URL(string: address)))
            request.httpMethod = "POST"
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(form.utf8)
            let (data, _) = try await URLSession.shared.data(for: request)
            return String(decoding: data, as: UTF8.self)
        }

        /// Creates the folder of the files that users see, and returns it and the path of the data directory.
        private func directories(in folder: URL) throws -> (shown: URL, data: URL) {
            let shown = folder.appending(path: "shown")
            try FileManager.default.createDirectory(at: shown, withIntermediateDirectories: true)
            return (shown, folder.appending(path: "data"))
        }

        /// Writes a URL with secrets into a file, and returns the argument that names it.
        private func fileArgument(_ url: String, in folder: URL) throws -> String {
            let file = folder.appending(path: UUID().uuidString)
            try Data("\(url)\n".utf8).write(to: file)
            return "@\(file.path)"
        }

        private func outputOptions(in shown: URL) -> [String] {
            ["--trace", shown.appending(path: "trace.json").path, "--record", shown.appending(path: "record").path]
        }

        // MARK: One-shot commands

        @Test(arguments: [
            ["orders", "--orders-url", "BASE/o.plist"], ["orders", "--json", "--orders-url", "BASE/none"],
            ["order", "1", "--orders-url", "BASE/list.plist", "--items-url", "BASE/none"],
            ["order", "1", "--orders-url", "BASE/o.plist"], ["deliveries", "--deliveries-url", "BASE/d"],
            ["deliveries", "--json", "--deliveries-url", "BASE/none"], ["download", "BASE/file.bin", "--to", "FOLDER/file.bin"],
            ["download", "BASE/none", "--to", "FOLDER/none"], ["upload", "FOLDER/source", "--to", "BASE/none"],
        ])
        func `No command prints, traces or records a secret`(command: [String]) async throws {
            try await withTemporaryFolder { folder in
                let (shown, data) = (folder.appending(path: "shown"), folder.appending(path: "data"))
                try FileManager.default.createDirectory(at: shown, withIntermediateDirectories: true)
                try Data("source".utf8).write(to: shown.appending(path: "source"))

                let runs = try await server.serve { base in
                    let arguments = try command.enumerated().map { index, word in
                        let query = word.hasPrefix("BASE") ? Self.query : ""
                        let text = word.replacing("BASE", with: signedIn(base)).replacing("FOLDER", with: shown.path) + query
                        return index > 0 && command[index - 1].hasSuffix("-url") ? try fileArgument(text, in: folder) : text
                    }
                    let outputs = ["--trace", shown.appending(path: "trace.json").path, "--record", shown.appending(path: "record").path]
                    return [
                        try await Program.run(arguments + outputs + (command[0].hasPrefix("order") ? [] : ["--data", data.path])),
                        try await Program.run("transfers", "--json", "--data", data.path),
                        try await Program.run("transfers", "--data", data.path),
                        try await Program.run("check", "--data", data.path),
                    ]
                }

                for run in runs { expectNoSecret(in: run) }
                #expect(try leaks(in: shown) == [])
                try expectPrivate(data)
                let trace = try String(contentsOf: shown.appending(path: "trace.json"), encoding: .utf8)
                #expect(trace.contains("http://REDACTED@") && trace.contains(Self.redactedQuery))
            }
        }

        @Test(arguments: [
            ["rovers"], ["photos", "--rover", "spirit", "--sol", "1"], ["photos", "--rover", "spirit", "--sol", "1", "--json"],
        ])
        func `Commands for photos print and trace neither the key nor secrets of addresses`(command: [String]) async throws {
            try await withTemporaryFolder { folder in
                let trace = folder.appending(path: "trace.json")

                let run = try await server.serve { base in
                    try await Program.run(
                        command + ["--photos-url", signedIn(base) + "/api", "--trace", trace.path],
                        environment: ["LADING_PHOTOS_KEY": "hunter2-p"])
                }

                expectNoSecret(in: run)
                #expect(command[0] == "rovers" || run.output.contains("1.gif?sig=REDACTED"))
                #expect(try leaks(in: folder) == [])
                #expect(FileManager.default.fileExists(atPath: trace.path))
            }
        }

        /// Recordings contain unredacted bodies, so the documents of this service contain no secrets.
        @Test func `A recording of photos has neither the key nor a password`() async throws {
            try await withTemporaryFolder { folder in
                let record = folder.appending(path: "record")
                let list = #"{"photos":[{"id":1,"sol":1,"camera":{"name":"FHAZ"},"img_src":"BASE/1.gif"}]}"#

                let run = try await StubOrderServer(documents: ["/api/rovers/spirit/photos": list]).serve { base in
                    try await Program.run(
                        [
                            "photos", "--rover", "spirit", "--sol", "1", "--photos-url", signedIn(base) + "/api", "--record", record.path,
                            "--save", folder.appending(path: "photos").path,
                        ], environment: ["LADING_PHOTOS_KEY": "hunter2-p"])
                }

                expectNoSecret(in: run)
                #expect(try leaks(in: folder) == [])
                #expect(try !FileManager.default.contentsOfDirectory(atPath: record.path).isEmpty)
            }
        }

        @Test func `A replay shows and traces no secret, whether a request was recorded or not`() async throws {
            try await withTemporaryFolder { folder in
                let (shown, record) = (folder.appending(path: "shown"), folder.appending(path: "record"))
                try FileManager.default.createDirectory(at: shown, withIntermediateDirectories: true)

                let runs = try await server.serve { base in
                    let command = { (path: String) in
                        try ["orders", "--orders-url", fileArgument(signedIn(base) + path + Self.query, in: folder)]
                    }
                    let traces = ["first", "second"].map { shown.appending(path: "\($0).json").path }
                    return [
                        try await Program.run(command("/o.plist") + ["--record", record.path]),
                        try await Program.run(command("/o.plist") + ["--replay", record.path, "--trace", traces[0]]),
                        try await Program.run(command("/none") + ["--replay", record.path, "--trace", traces[1]]),
                    ]
                }

                for run in runs { expectNoSecret(in: run) }
                #expect(runs[1].output == runs[0].output && runs[1].error == runs[0].error)
                #expect(runs[2].code == 1 && runs[2].error.contains("no recorded response for GET http://REDACTED@"), "\(runs[2].error)")
                #expect(try leaks(in: shown) == [])
                for name in ["first", "second"] {
                    let trace = try String(contentsOf: shown.appending(path: "\(name).json"), encoding: .utf8)
                    #expect(trace.contains(Self.redactedQuery))
                }
            }
        }

        @Test func `A missing trace for the cache is reported without the secrets of its name`() async throws {
            let run = try await Program.run("cache-simulate", "--size", "10", "http://jane:hunter2@a.example/trace.txt" + Self.query)

            #expect(run.code == 1 && run.error.contains("REDACTED@a.example/trace.txt?\(Self.redactedQuery)"), "\(run.error)")
            expectNoSecret(in: run)
        }

        @Test(arguments: ["resume", "pause", "cancel"])
        func `A transfer with a secret address is resumed, paused and cancelled without showing it`(action: String) async throws {
            struct Transfer: Decodable { let id: String }

            try await withTemporaryFolder { folder in
                let (shown, data) = (folder.appending(path: "shown"), folder.appending(path: "data"))
                try FileManager.default.createDirectory(at: shown, withIntermediateDirectories: true)

                let runs = try await server.serve { base in
                    let address = { (path: String) in signedIn(base) + path + Self.query }
                    let keeping = ["--data", data.path]
                    let first = try await Program.run(["download", address("/none"), "--to", shown.appending(path: "f").path] + keeping)
                    let list = try await Program.run(["transfers", "--json"] + keeping)
                    let id = try #require(try JSONDecoder().decode([Transfer].self, from: Data(list.output.utf8)).first).id
                    let outputs = ["--trace", shown.appending(path: "trace.json").path, "--record", shown.appending(path: "record").path]
                    let target = action == "resume" ? ["--url", address("/file.bin")] : []
                    return [first, list, try await Program.run(["transfers", action, id] + target + outputs + keeping)]
                }

                for run in runs { expectNoSecret(in: run) }
                #expect(try leaks(in: shown) == [])
                try expectPrivate(data)
            }
        }

        // MARK: Servers

        @Test(arguments: ["run", "window"]) func `A window shows, traces and records no secret`(command: String) async throws {
            try await withTemporaryFolder { folder in
                let (shown, data) = try directories(in: folder)
                let (pages, operations, run) = try await server.serve { base in
                    let address = { (path: String) in try fileArgument(signedIn(base) + path + Self.query, in: folder) }
                    let tiles = try fileArgument(signedIn(base) + "/{z}/{x}/{y}.png?key=hunter2-t", in: folder)
                    let arguments = try [
                        command, "--port", "0", "--data", data.path, "--retries", "0", "--crash-reports", address("/none"),
                        "--orders-url", address("/o.plist"), "--items-url", address("/items.plist"),
                        "--deliveries-url", address("/none"), "--tiles", tiles,
                    ]
                    let (window, page) = try await Program.start(arguments + outputOptions(in: shown), announcing: "Lading is at ")
                    var pages = ""
                    for path in ["orders?plain=1", "deliveries?plain=1", "orders/items/1/picture", "tiles/15/9656/12313"] {
                        pages += try await text(at: page + path, token: "hunter2-b")
                    }
                    let operations = [
                        try await text(at: page + "operations", token: "hunter2-b"),
                        try await events(at: page + "operations/events", until: "map tile"),
                    ]
                    return (pages, operations, await outcome(of: window))
                }

                #expect(run.code == 0)
                #expect(!pages.contains(Self.mark))
                for text in operations { #expect(!text.contains(Self.mark) && text.contains("access_token=REDACTED"), "\(text)") }
                expectNoSecret(in: run)
                #expect(try leaks(in: shown) == [])
                try expectPrivate(data)
                let trace = try String(contentsOf: shown.appending(path: "trace.json"), encoding: .utf8)
                for name in ["/o.plist?", "/items.plist?"] { #expect(trace.contains(name + Self.redactedQuery)) }
                #expect(trace.contains("map tile") && !trace.contains("9656/12313"))
            }
        }

        @Test func `A favourite whose address has a secret is stored privately and sent without showing it`() async throws {
            try await withTemporaryFolder { folder in
                let (shown, data) = try directories(in: folder)
                let (pages, runs) = try await server.serve { base in
                    let deliveries = try fileArgument(signedIn(base) + "/d" + Self.query, in: folder)
                    let arguments = [
                        "window", "--port", "0", "--data", data.path, "--retries", "0", "--origin", base, "--deliveries-url", deliveries,
                    ]
                    let (window, page) = try await Program.start(arguments + outputOptions(in: shown), announcing: "Lading is at ")
                    let list = try await text(at: page + "deliveries?plain=1")
                    let action = try #require(list.firstMatch(of: /action="([^"]*\/favourite)/)).1
                    let marked = try await post("favourite=true", to: page + String(action.drop { $0 == "/" }))
                    let events = try await events(at: page + "operations/events", until: "REDACTED@")
                    let later = try await text(at: page + "deliveries?plain=1")
                    let run = await outcome(of: window)
                    let check = try await Program.run("check", "--data", data.path)
                    return ([list, marked, events, later], [run, check])
                }

                #expect(runs.map(\.code) == [0, 0])
                for page in pages { #expect(!page.contains(Self.mark)) }
                for run in runs { expectNoSecret(in: run) }
                #expect(pages[2].contains("REDACTED@"))
                #expect(try leaks(in: shown) == [])
                try expectPrivate(data)
            }
        }

        @Test func `Transfers that another program runs show no secret`() async throws {
            let server = try ScriptedServer { request in
                request.target.hasPrefix("/file.bin")
                    ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes")]
                    : [.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")]
            }
            defer { server.stop() }
            try await withTemporaryFolder { folder in
                let (shown, data) = try directories(in: folder)
                let (source, target) = (shown.appending(path: "source"), shown.appending(path: "file.bin"))
                try Data("source".utf8).write(to: source)
                let address = { (path: String) in signedIn(server.url(path).absoluteString) + Self.query }
                let keeping = ["--data", data.path]
                let (demo, _) = try await Program.start(
                    ["run", "--port", "0", "--orders", "1", "--deliveries", "1"] + keeping + outputOptions(in: shown),
                    announcing: "Lading is at ")

                var runs = [
                    try await Program.run(["download", address("/file.bin"), "--to", target.path, "--background"] + keeping),
                    try await Program.run(["upload", source.path, "--to", address("/none"), "--background"] + keeping),
                ]
                try await server.wait { log in
                    ["/file.bin", "/none"].allSatisfy { path in log.requests.contains { $0.target.hasPrefix(path) } }
                }
                runs.append(try await Program.run(["transfers", "--json"] + keeping))
                runs.append(try await Program.run(["transfers"] + keeping))
                runs.append(await outcome(of: demo))
                runs.append(try await Program.run(["check"] + keeping))

                #expect(runs.allSatisfy { $0.code == 0 }, "\(runs)")
                for run in runs { expectNoSecret(in: run) }
                #expect(try leaks(in: shown) == [])
                try expectPrivate(data)
                let trace = try String(contentsOf: shown.appending(path: "trace.json"), encoding: .utf8)
                #expect(trace.contains("http://REDACTED@") && trace.contains(Self.redactedQuery))
            }
        }

        @Test func `An origin stores and prints no secrets of its clients`() async throws {
            try await withTemporaryFolder { data in
                let (origin, list) = try await Program.start(
                    "serve", "--port", "0", "--orders", "1", "--deliveries", "1", "--data", data.path,
                    announcing: "The orders are served at ")
                let url = try #require(URL(string: list))
                for path in ["/deliveries", "/none", "/uploads/none"] {
                    _ = try await text(at: "http://\(url.host()!):\(url.port!)\(path)\(Self.query)", token: "hunter2-b")
                }

                expectNoSecret(in: await outcome(of: origin))
                #expect(try leaks(in: data) == [])
            }
        }

        @Test func `A proxy prints no secrets and its files are private`() async throws {
            try await withTemporaryFolder { data in
                var server = server
                server.headers[.cacheControl] = "max-age=600"
                let (keeping, run) = try await server.serve { base in
                    let (proxy, address) = try await Program.start(
                        "proxy", "--origin", signedIn(base), "--port", "0", "--data", data.path, announcing: "The cache is at ")
                    for path in ["d", "none"] { _ = try await text(at: address + path + Self.query, token: "hunter2-b") }
                    try expectPrivate(data)
                    let run = await outcome(of: proxy)
                    return (try await Program.run("check", "--data", data.path), run)
                }

                expectNoSecret(in: run)
                expectNoSecret(in: keeping)
                try expectPrivate(data)
            }
        }
    }
}
