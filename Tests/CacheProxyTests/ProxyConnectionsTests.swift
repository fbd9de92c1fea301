import Foundation
import LadingCaching
import LadingHTTP
import LadingNIO
import Logging
import NIOCore
import NIOPosix
import ScriptedServers
import ServerStartup
import Testing
@testable import CacheProxy

/// Tests of the connections of clients to a proxy.
@Suite struct ProxyConnectionsTests {
    @Test func `A connection beyond the limit of a client is closed`() async throws {
        let executor = AsyncHTTPClientExecutor(decompressesBodies: false, usesHTTP2: false, userAgent: nil)
        let (addresses, listening) = AsyncStream.makeStream(of: URL.self)
        let proxy = CacheProxyServer(
            ListenAddress(port: 0), clients: ClientLimits(connections: 1), origin: try ScriptedServer.unreachableURL(),
            cache: HTTPCache(store: MemoryBlobStore(byteLimit: 1 << 20)), executor: executor,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onListening: { listening.yield($0) })
        let running = Task { try await proxy.run() }
        let address = try #require(await addresses.first(where: { _ in true }))

        let (first, second) = try await Self.withResponse(from: address) { response in
            (response, try? await Self.withResponse(from: address) { $0 })
        }
        running.cancel()
        _ = await running.result
        try await executor.shutdown()

        #expect(first.hasPrefix("HTTP/1.1 502 "))
        #expect(second ?? "" == "")
    }

    /// Sends a request on a separate connection, and calls a closure with the beginning of the response, which is empty when the proxy closes the
    /// connection.
    private static func withResponse<Value: Sendable>(
        from address: URL, _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: address.port ?? 80) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel) }
            }
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            var chunks = inbound.makeAsyncIterator()
            let chunk = try await chunks.next()
            return try await body(chunk.map { String(buffer: $0) } ?? "")
        }
    }
}
