import Foundation
import HTTPTypes
import LadingTesting
import NIOCore
import NIOPosix
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Journeys {
    /// `lading proxy` in front of a server, over real sockets and files.
    @Suite struct ProxyJourneyTests {
        /// Asks a proxy that is started for it and stopped again.
        private func expectDocument(from origin: String, keptIn folder: URL, _ options: String...) async throws {
            let arguments = ["proxy", "--origin", origin, "--port", "0", "--data", folder.path] + options
            let (proxy, address) = try await Program.start(arguments, announcing: "The cache is at ")
            let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: address + "list.xml")))
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(await proxy.stop() == 0)
            #expect(String(decoding: data, as: UTF8.self) == "<list/>")
        }

        /// What the program answers to bytes, until it closes the connection.
        private func answer(of address: String, to request: String) async throws -> String {
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

        @Test func `Paths are sent as they came without claims about the client, and an empty transfer coding is refused`() async throws {
            let origin = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")] }
            defer { origin.stop() }
            let (proxy, address) = try await Program.start(
                "proxy", "--origin", origin.url("").absoluteString, "--port", "0", announcing: "The cache is at ")
            let claims = "Forwarded: for=10.0.0.1\r\nX-Forwarded-For: 10.0.0.1\r\nx-forwarded-host: a.org\r\nX-Forwarded-Proto: https\r\n"
            let end = "Host: localhost\r\nConnection: close\r\n\r\n"

            let passed = try await answer(of: address, to: "GET /a%2Fb/../c|d?e={f}&&g HTTP/1.1\r\n\(claims)\(end)")
            let refused = try await answer(
                of: address, to: "POST /h HTTP/1.1\r\nTransfer-Encoding: \r\n\(end)GET /i HTTP/1.1\r\n\(end)")
            let foreign = try await answer(of: address, to: "GET /j HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
            #expect(await proxy.stop() == 0)

            #expect(passed.hasPrefix("HTTP/1.1 200 ") && passed.hasSuffix("hello"))
            #expect(refused.hasPrefix("HTTP/1.1 400 ") && refused.components(separatedBy: "HTTP/1.1").count == 2)
            #expect(foreign.hasPrefix("HTTP/1.1 421 "))
            #expect(origin.seen.requests.map(\.target) == ["/a%2Fb/../c|d?e={f}&&g"])
            #expect(!origin.seen.requests.flatMap(\.fields).contains { $0.name.lowercased().contains("forwarded") })
        }

        @Test func `What was kept for one user is there after a restart, and not for many`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lading-proxy-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let asked = Counter()
            var server = ForeignServer(documents: ["/list.xml": "<list/>"], whenAsked: { asked.count.add(1, ordering: .relaxed) })
            server.headers[.cacheControl] = "max-age=600"
            try await server.serve { origin in
                for _ in 0..<2 { try await expectDocument(from: origin, keptIn: folder) }
                #expect(asked.count.load(ordering: .relaxed) == 1)
                for _ in 0..<2 { try await expectDocument(from: origin, keptIn: folder, "--shared") }
                #expect(asked.count.load(ordering: .relaxed) == 2)
            }
        }
    }
}

private final class Counter: Sendable {
    let count = Atomic(0)
}
