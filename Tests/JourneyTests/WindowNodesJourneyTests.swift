import Foundation
import HTTPTypes
import LadingHTTP
import LadingNIO
import LadingTesting
import TemporaryFolders
import Testing

extension ServerJourneys {
    /// Windows behind a load balancer that brings the requests of a page to any of them.
    @Suite struct WindowNodesJourneyTests {
        /// A running window.
        private struct Node {
            let program: ChildProcess
            let address: String

            func url(_ path: String) -> URL { URL(string: "\(address)\(path)")! }
        }

        private let folder: TemporaryFolder
        private let client: BackendClient
        private let executor = AsyncHTTPClientExecutor(connectionsPerHost: 20, readTimeout: .seconds(60))

        init() throws {
            folder = try TemporaryFolder()
            client = BackendClient(executor: executor)
            try "a secret that the windows share\n".write(to: folder.url.appending(path: "secret"), atomically: true, encoding: .utf8)
        }

        private func startNode(_ origin: String, number: Int) async throws -> Node {
            // The address names the port, which must be known before the start.
            let port = 30_000 + Int(getpid()) % 10_000 * 2 + number
            let (program, _) = try await Program.start(
                [
                    "window", "--port", "\(port)", "--data", folder.url.appending(path: "window-\(number)").path, "--origin", origin,
                    "--node", "http://127.0.0.1:\(port)", "--node-secret-file", folder.url.appending(path: "secret").path,
                ], announcing: "Lading is at ")
            return Node(program: program, address: "http://127.0.0.1:\(port)")
        }

        private func post(_ url: URL, _ body: String) async throws -> (status: Int, text: String) {
            let headers: HTTPFields = [.contentType: "application/json", .secFetchSite: "same-origin"]
            let message = RequestMessage(method: .post, url: url, headers: headers, body: .bytes(body.utf8))
            return try await executor.execute(message, timeLimit: .seconds(10)) { head, body in
                var bytes: [UInt8] = []
                for try await chunk in body { bytes += chunk }
                return (head.status.code, String(decoding: bytes, as: UTF8.self))
            }
        }

        /// Opens a page on a window, and returns the id of its session.
        private func openPage(_ node: Node) async throws -> String {
            let opened = try await post(node.url("/windows"), #"{"screen":"orders","first":0,"last":9}"#)
            return String(try #require(opened.text.firstMatch(of: /"window":"([^"]+)"/)).output.1)
        }

        /// Calls a body with the events of a page until it returns true or the stream ends.
        private func readEvents(_ session: String, at node: Node, until isEnough: (ServerSentEvent) async throws -> Bool) async throws {
            // A compressed stream of another window would be incomplete when this one ends it.
            let message = RequestMessage(
                method: .get, url: node.url("/windows/\(session)/events"),
                headers: [.accept: "text/event-stream", .acceptEncoding: "identity"])
            try await client.exchange(message) { _, body, _ in
                for try await event in ServerSentEvents(body) where try await isEnough(event) { return }
            }
        }

        private func withNodes(_ test: (Node, Node) async throws -> Void) async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--orders", "20", "--deliveries", "0", "--data", folder.url.appending(path: "origin").path,
                announcing: "The orders are served at ")
            let address = try #require(URL(string: list)?.port).description
            let nodes = try await (startNode("http://127.0.0.1:\(address)", number: 0), startNode("http://127.0.0.1:\(address)", number: 1))
            do {
                try await test(nodes.0, nodes.1)
            } catch {
                for program in [origin, nodes.0.program, nodes.1.program] { program.signal(SIGKILL) }
                throw error
            }
            for program in [nodes.0.program, nodes.1.program, origin] { _ = await program.terminate() }
            try await executor.shutdown()
        }

        @Test func `A page uses its session over another window, and opens a new one when its own has ended`() async throws {
            try await withNodes { first, second in
                let session = try await openPage(first)
                let report = #"{"list":"0","seq":1,"first":10,"last":19,"rowsPerSecond":0}"#

                // The rows that were reported over the other window arrive over its stream.
                var names: [String] = []
                try await readEvents(session, at: second) { event in
                    // The stream is open once its first event has arrived.
                    let status = names.isEmpty ? try await post(second.url("/windows/\(session)/viewport"), report).status : 204
                    #expect(status == 204)
                    names.append(event.type)
                    return event.type == "rows"
                }
                #expect(names.contains("rows"))
                let reopened = try await post(second.url("/windows"), #"{"screen":"orders","window":"\#(session)"}"#)
                #expect(reopened.text.contains(session))

                first.program.signal(SIGKILL)
                _ = await first.program.waitForExit()
                let start = ContinuousClock.now
                #expect(try await post(second.url("/windows/\(session)/viewport"), report).status == 410)
                let replacement = try await post(second.url("/windows"), #"{"screen":"orders","window":"\#(session)","first":0,"last":9}"#)
                #expect(replacement.text.contains("\"window\"") && !replacement.text.contains(session))
                #expect(ContinuousClock.now - start < .seconds(5))
            }
        }

        @Test func `The stream of a page over another window ends when that window shuts down`() async throws {
            try await withNodes { first, second in
                let session = try await openPage(first)

                // An aborted stream would throw.
                var isShuttingDown = false
                try await readEvents(session, at: second) { _ in
                    // A second signal ends the program at once.
                    if !isShuttingDown { second.program.signal(SIGTERM) }
                    isShuttingDown = true
                    return false
                }

                #expect(isShuttingDown)
                #expect(await second.program.waitForExit() == 0)
            }
        }

        @Test func `The connection of a forwarded request is used again`() async throws {
            try await withNodes { first, second in
                let session = try await openPage(first)

                // A connection that the window closes is lost with the next request.
                for _ in 0..<20 { #expect(try await post(second.url("/windows/\(session)/refresh"), "{}").status == 204) }
            }
        }

        @Test func `An id that no window has signed is not forwarded`() async throws {
            try await withNodes { first, second in
                let session = try await openPage(first)
                var parts = session.split(separator: ".").map(String.init)
                parts[1] = Data("http://127.0.0.1:9".utf8).base64EncodedString().replacing("=", with: "")

                #expect(try await post(second.url("/windows/\(parts.joined(separator: "."))/refresh"), "{}").status == 410)
                #expect(try await post(second.url("/windows/\(session)/refresh"), "{}").status == 204)
            }
        }

        @Test func `A window answers to the name by which the other windows reach it`() async throws {
            let (window, address) = try await Program.start(
                [
                    "window", "--port", "0", "--data", folder.url.appending(path: "window").path, "--origin", "http://127.0.0.1:9",
                    "--node", "http://node-1.example.org:8080", "--node-secret-file", folder.url.appending(path: "secret").path,
                ], announcing: "Lading is at ")
            let url = try #require(URL(string: "/health", relativeTo: URL(string: address)))
            func status(_ host: String) async throws -> Int {
                let message = RequestMessage(method: .get, url: url.absoluteURL, headers: [.host: host])
                return try await executor.execute(message, timeLimit: .seconds(10)) { head, _ in head.status.code }
            }

            #expect(try await status("node-1.example.org:8080") == 200)
            #expect(try await status("node-2.example.org:8080") == 421)
            _ = await window.terminate()
            try await executor.shutdown()
        }

        @Test func `A window is ready while its server answers`() async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "1", "--deliveries", "0", announcing: "The orders are served at ")
            let port = try #require(URL(string: list)?.port)
            let window = try await startNode("http://127.0.0.1:\(port)", number: 0)
            func status(_ path: String) async throws -> Int {
                let message = RequestMessage(method: .get, url: window.url(path))
                return try await executor.execute(message, timeLimit: .seconds(10)) { head, _ in head.status.code }
            }

            let before = try await status("/ready")
            #expect(await origin.terminate() == 0)
            let after = try await [status("/ready"), status("/health")]

            #expect(before == 200)
            #expect(after == [503, 200])
            #expect(await window.program.terminate() == 0)
            try await executor.shutdown()
        }

        @Test func `A window behind a load balancer needs its address and the secret`() async throws {
            let short = folder.url.appending(path: "short")
            try "short".write(to: short, atomically: true, encoding: .utf8)
            let node = ["--node", "http://127.0.0.1:9"]

            let missing = try await Program.run(["window", "--port", "0"] + node)
            let unreadable = try await Program.run(["window", "--port", "0"] + node + ["--node-secret-file", "/none/secret"])
            let tooShort = try await Program.run(["window", "--port", "0"] + node + ["--node-secret-file", short.path])

            #expect(missing.code == 64 && missing.error.contains("--node-secret-file"))
            #expect(unreadable.code == 1 && unreadable.error.contains("/none/secret cannot be read"))
            #expect(tooShort.code == 1 && tooShort.error.contains("at least 16 bytes"))
        }
    }
}

extension HTTPField.Name {
    fileprivate static let host = Self("Host")!
    fileprivate static let secFetchSite = Self("Sec-Fetch-Site")!
}
