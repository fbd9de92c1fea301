import Foundation
import HTTPTypes
import LadingHTTP
import LadingNIO
import LadingTesting
import NIOCore
import NIOPosix
import ScriptedServers
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServerJourneys {
    /// `lading proxy` in front of a server, over real sockets and files.
    @Suite struct ProxyJourneyTests {
        /// Starts a proxy, requests a document through it, and stops it.
        private func expectDocument(from origin: String, storedIn folder: URL, _ options: String...) async throws {
            let arguments = ["proxy", "--origin", origin, "--port", "0", "--data", folder.path] + options
            let (proxy, address) = try await Program.start(arguments, announcing: "The cache is at ")
            let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: address + "list.xml")))
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(await proxy.terminate() == 0)
            #expect(String(decoding: data, as: UTF8.self) == "<list/>")
        }

        /// Sends bytes to the program and returns its response, up to the end of the connection.
        private func response(from address: String, to request: String) async throws -> String {
            let url = try #require(URL(string: address))
            let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: try #require(url.host()), port: try #require(url.port)) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            return try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: request))
                var text = ""
                for try await bytes in inbound { text += String(buffer: bytes) }
                return text
            }
        }

        @Test func `Paths are forwarded unchanged without forwarding headers and an empty transfer coding is refused`() async throws {
            let origin = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")] }
            defer { origin.stop() }
            let (proxy, address) = try await Program.start(
                "proxy", "--origin", origin.url("").absoluteString, "--port", "0", announcing: "The cache is at ")
            let claims = "Forwarded: for=10.0.0.1\r\nX-Forwarded-For: 10.0.0.1\r\nx-forwarded-host: a.org\r\nX-Forwarded-Proto: https\r\n"
            let end = "Host: localhost\r\nConnection: close\r\n\r\n"

            let passed = try await response(from: address, to: "GET /a%2Fb/../c|d?e={f}&&g HTTP/1.1\r\n\(claims)\(end)")
            let refused = try await response(
                from: address, to: "POST /h HTTP/1.1\r\nTransfer-Encoding: \r\n\(end)GET /i HTTP/1.1\r\n\(end)")
            let foreign = try await response(from: address, to: "GET /j HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
            #expect(await proxy.terminate() == 0)

            #expect(passed.hasPrefix("HTTP/1.1 200 ") && passed.hasSuffix("hello"))
            #expect(refused.hasPrefix("HTTP/1.1 400 ") && refused.components(separatedBy: "HTTP/1.1").count == 2)
            #expect(foreign.hasPrefix("HTTP/1.1 421 "))
            #expect(origin.log.requests.map(\.target) == ["/a%2Fb/../c|d?e={f}&&g"])
            #expect(!origin.log.requests.flatMap(\.fields).contains { $0.name.lowercased().contains("forwarded") })
        }

        @Test func `A response without an end is aborted when the proxy shuts down`() async throws {
            // The origin sends something about once a second: its source is polled every 5 ms.
            let polls = Counter()
            let heartbeats = ScriptedServer.ByteSource {
                polls.count.add(1, ordering: .relaxed).newValue % 200 == 1 ? .bytes(Array("1\r\n.\r\n".utf8)) : .idle
            }
            let origin = try ScriptedServer { _ in
                [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .sendStream(heartbeats)]
            }
            defer { origin.stop() }
            let (proxy, address) = try await Program.start(
                "proxy", "--origin", origin.url("").absoluteString, "--port", "0", announcing: "The cache is at ")
            let message = RequestMessage(url: try #require(URL(string: address + "stream")))
            let executor = AsyncHTTPClientExecutor(readTimeout: .seconds(60))

            await #expect(throws: (any Error).self) {
                try await executor.execute(message, timeLimit: .seconds(60)) { _, body in
                    var isShuttingDown = false
                    for try await _ in body where !isShuttingDown {
                        // A second signal would end the program at once.
                        isShuttingDown = true
                        proxy.signal(SIGTERM)
                    }
                }
            }

            #expect(await proxy.waitForExit() == 0)
            try await executor.shutdown()
        }

        @Test func `Private responses survive a restart and are not served in shared mode`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lading-proxy-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let requests = Counter()
            var server = StubOrderServer(documents: ["/list.xml": "<list/>"], onRequest: { requests.count.add(1, ordering: .relaxed) })
            server.headers[.cacheControl] = "max-age=600"
            try await server.serve { origin in
                for _ in 0..<2 { try await expectDocument(from: origin, storedIn: folder) }
                #expect(requests.count.load(ordering: .relaxed) == 1)
                for _ in 0..<2 { try await expectDocument(from: origin, storedIn: folder, "--shared") }
                #expect(requests.count.load(ordering: .relaxed) == 2)
            }
        }
    }
}

private final class Counter: Sendable {
    let count = Atomic(0)
}
