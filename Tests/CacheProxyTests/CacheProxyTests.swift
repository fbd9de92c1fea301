import Foundation
import HTTPTypes
import LadingCaching
import LadingHTTP
import LadingNIO
import LadingTesting
import Logging
import NIOCore
import NIOPosix
import ScriptedServers
import ServerStartup
import Synchronization
import Testing
@testable import CacheProxy

/// Tests of the proxy as a server, over sockets.
@Suite struct CacheProxyTests {
    /// Runs a proxy for an origin during a test.
    func withProxy(
        for origin: URL, _ audience: CacheScope = .private, readTimeout: Duration = .seconds(10),
        through executor: (any BackendExecutor)? = nil, clients: ClientLimits = ClientLimits(), exchangesPerClient: Int? = nil,
        _ test: (URL, BackendClient) async throws -> Void
    ) async throws {
        let upstream = AsyncHTTPClientExecutor(readTimeout: readTimeout, decompressesBodies: false, usesHTTP2: false, userAgent: nil)
        let downstream = AsyncHTTPClientExecutor()
        let cache = HTTPCache(store: MemoryBlobStore(byteLimit: 8 << 20), audience: audience, isDecoded: false)
        let (addresses, listening) = AsyncStream.makeStream(of: URL.self)
        let server = CacheProxyServer(
            ListenAddress(port: 0), clients: clients, exchangesPerClient: exchangesPerClient, origin: origin, cache: cache,
            executor: executor ?? upstream, logger: silentLogger, onListening: { listening.yield($0) })
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await server.run() }
                guard let address = await addresses.first(where: { _ in true }) else { throw CancellationError() }
                try await test(address, BackendClient(executor: downstream))
                tasks.cancelAll()
                try? await tasks.waitForAll()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await downstream.shutdown()
        try await upstream.shutdown()
        try result.get()
    }

    private var silentLogger: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    static func ok(_ fields: String, _ body: String) -> [ScriptedServer.Step] {
        [.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }

    @Test func `A response is fetched once below the origin's path, with Via and Cache-Status`() async throws {
        let origin = try ScriptedServer { _ in
            Self.ok("Cache-Control: max-age=60\r\nConnection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\n", "hello")
        }
        defer { origin.stop() }
        try await withProxy(for: origin.url("/base/")) { proxy, client in
            let url = proxy.appending(path: "a/b").appending(queryItems: [URLQueryItem(name: "q", value: "1")])
            let headers: HTTPFields = [.connection: "X-Mine", HTTPField.Name("X-Mine")!: "1", HTTPField.Name("X-Kept")!: "2"]

            let responses = try await [
                client.response(to: RequestMessage(url: url, headers: headers)), client.response(to: RequestMessage(url: url)),
            ]

            #expect(responses.map { String(decoding: $0.body, as: UTF8.self) } == ["hello", "hello"])
            #expect(origin.log.requests.map(\.target) == ["/base/a/b?q=1"])
            #expect(origin.log.requests[0]["Via"] == "1.1 lading" && origin.log.requests[0]["X-Kept"] == "2")
            #expect(origin.log.requests[0]["X-Mine"] == nil)
            #expect(responses[1].headers[HTTPField.Name("Via")!] == "1.1 lading" && responses[1].headers[.date] != nil)
            #expect(
                responses.allSatisfy { $0.headers[HTTPField.Name("X-Hop")!] == nil && $0.headers[HTTPField.Name("Keep-Alive")!] == nil })
            #expect(responses[1].headers[HTTPField.Name("Cache-Status")!]?.hasPrefix("Lading; hit") == true)
        }
    }

    @Test func `A safe request on a closed connection is retried once, and no other request is`() async throws {
        let hangUps = Mutex(0)
        let origin = try ScriptedServer { request in
            let isRefused = hangUps.withLock { count in
                count -= 1
                return count >= 0
            }
            return isRefused ? [.close] : Self.ok("Cache-Control: no-store\r\n", request.method)
        }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, client in
            let url = proxy.appending(path: "a")
            func status(_ method: HTTPRequest.Method, _ body: RequestBody = [], closing count: Int) async throws -> Int {
                hangUps.withLock { $0 = count }
                do {
                    return try await client.response(to: RequestMessage(method: method, url: url, body: body)).status.code
                } catch BackendError.status(let code, _, _) {
                    return code
                }
            }

            let codes = try await [
                status(.get, closing: 1), status(.get, closing: 2), status(.post, .bytes([1]), closing: 1), status(.delete, closing: 1),
            ]

            #expect(codes == [200, 502, 502, 502])
            #expect(origin.log.requests.map(\.method) == ["GET", "GET", "GET", "GET", "POST", "DELETE"])
        }
    }

    @Test func `Bodies are streamed in both directions, and a PUT invalidates the stored response`() async throws {
        let origin = try ScriptedServer { request in Self.ok("Cache-Control: max-age=60\r\n", "\(request.method) \(request.body.count)") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, client in
            let url = proxy.appending(path: "a")
            let long = [UInt8](repeating: 1, count: 3 << 20)
            _ = try await client.response(to: RequestMessage(url: url))

            let put = try await client.response(to: RequestMessage(method: .put, url: url, body: .bytes(long)))
            _ = try await client.response(to: RequestMessage(url: url))

            #expect(String(decoding: put.body, as: UTF8.self) == "PUT \(long.count)")
            #expect(origin.log.requests.map(\.method) == ["GET", "PUT", "GET"])
            #expect(origin.log.requests[1].body == long)
        }
    }

    @Test func `A body with a content coding is forwarded and stored unchanged`() async throws {
        let origin = try ScriptedServer { _ in
            Self.ok("Cache-Control: max-age=60\r\nContent-Encoding: rot13\r\nVary: Accept-Encoding\r\n", "uryyb")
        }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, client in
            for _ in 0..<2 {
                let message = RequestMessage(url: proxy.appending(path: "a"), headers: [.acceptEncoding: "rot13"])
                let response = try await client.response(to: message)

                #expect(response.headers[.contentEncoding] == "rot13" && response.body == Array("uryyb".utf8))
            }
            #expect(origin.log.requests.count == 1)
        }
    }

    @Test(arguments: [
        (CacheScope.shared, "Cache-Control: no-store\r\nCDN-Cache-Control: max-age=60\r\n", 1),
        (.shared, "Cache-Control: max-age=60\r\nCDN-Cache-Control: no-store\r\n", 2),
        (.shared, "Cache-Control: no-store\r\nCDN-Cache-Control: max-age=60, &\r\n", 2),
        (.private, "Cache-Control: no-store\r\nCDN-Cache-Control: max-age=60\r\n", 2),
        (.private, "Cache-Control: max-age=60\r\nCDN-Cache-Control: no-store\r\n", 1),
    ])
    func `A shared cache uses the targeted field and forwards it`(
        audience: CacheScope, fields: String, questions: Int
    ) async throws {
        let origin = try ScriptedServer { _ in Self.ok(fields, "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url(""), audience) { proxy, client in
            let name = try #require(HTTPField.Name("CDN-Cache-Control"))
            for _ in 0..<2 {
                let response = try await client.response(to: RequestMessage(url: proxy.appending(path: "a")))

                #expect(response.body == Array("hello".utf8))
                #expect(response.headers[name].map { fields.contains("CDN-Cache-Control: \($0)\r\n") } == true)
            }
            #expect(origin.log.requests.count == questions)
        }
    }

    @Test func `HEAD and ranges are served from a stored response`() async throws {
        let origin = try ScriptedServer { _ in Self.ok("Cache-Control: max-age=60\r\n", "0123456789") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, client in
            let url = proxy.appending(path: "a")
            _ = try await client.response(to: RequestMessage(url: url))

            let head = try await client.response(to: RequestMessage(method: .head, url: url))
            let part = try await client.response(to: RequestMessage(url: url, headers: [.range: "bytes=2-4"]))

            #expect(head.headers[.contentLength] == "10" && head.body.isEmpty)
            #expect(part.status == .partialContent && part.body == Array("234".utf8))
            #expect(origin.log.requests.count == 1)
        }
    }

    @Test func `A response to HEAD ends after its head, whatever its length`() async throws {
        let origin = try ScriptedServer { request in
            let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n"
            if request.target == "/b" { return Self.ok("", "hello") }
            return [.send(request.method == "HEAD" ? head : head + "2\r\nok\r\n0\r\n\r\n")]
        }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let requests = ["HEAD /a", "GET /a", "HEAD /a", "GET /b"].map { "\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
            let text = try await Self.responses(to: requests, at: proxy)

            let bodies = text.components(separatedBy: "HTTP/1.1 200 OK\r\n").dropFirst().map {
                $0.components(separatedBy: "\r\n\r\n")[1...]
            }
            #expect(bodies.map { $0.joined() } == ["", "2\r\nok\r\n0", "", "hello"])
        }
    }

    /// Returns the responses to some requests on one connection, each sent when the response to the previous one has begun.
    private static func responses(to requests: [String], at url: URL) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(
            host: "127.0.0.1", port: try #require(url.port)
        ) { channel in
            channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel) }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var (text, rest) = ("", requests[...])
            var chunks = inbound.makeAsyncIterator()
            while let originRequest = rest.popFirst() {
                try await outbound.write(ByteBuffer(string: originRequest))
                let ends = originRequest.hasPrefix("HEAD") ? ["\r\n\r\n"] : ["0\r\n\r\n", "hello"]
                repeat {
                    guard let chunk = try await chunks.next() else { return text }
                    text += String(buffer: chunk)
                } while !ends.contains(where: text.hasSuffix)
            }
            return text
        }
    }

    @Test func `A GET with a body is forwarded each time`() async throws {
        let origin = try ScriptedServer { request in
            Self.ok("Cache-Control: max-age=0, stale-while-revalidate=100\r\nETag: \"a\"\r\n", "\(request.body.count)")
        }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, client in
            let url = proxy.appending(path: "a")
            _ = try await client.response(to: RequestMessage(url: url))

            for _ in 0..<2 {
                let response = try await client.response(to: RequestMessage(url: url, body: .bytes([1, 2, 3])))
                #expect(response.body == Array("3".utf8))
            }
            #expect(origin.log.requests.map(\.body.count) == [0, 3, 3])
        }
    }

    @Test func `Only requests without a body limit the time until the response`() async throws {
        let executor = TimeLimitRecorder()
        try await withProxy(for: try ScriptedServer.unreachableURL(), through: executor) { proxy, client in
            let url = proxy.appending(path: "a")
            let messages = [
                RequestMessage(url: url), RequestMessage(method: .post, url: url), RequestMessage(method: .put, url: url, body: [1]),
                RequestMessage(method: .put, url: url, body: .stream { AsyncStream<[UInt8]> { $0.finish() } }),
            ]

            for message in messages { _ = try await client.response(to: message) }

            #expect(executor.timeLimits == [.seconds(60), .seconds(60), .seconds(86_400), .seconds(86_400)])
        }
    }

    @Test func `An origin that does not respond to a body gives 504`() async throws {
        let origin = try ScriptedServer { _ in [.pause] }
        defer { origin.stop() }
        try await withProxy(for: origin.url(""), readTimeout: .milliseconds(200)) { proxy, client in
            let message = RequestMessage(method: .put, url: proxy.appending(path: "a"), body: [1, 2, 3])

            let response = try await client.response(to: message)

            #expect(response.status == .gatewayTimeout)
        }
    }

    @Test func `An unreachable origin gives 502`() async throws {
        try await withProxy(for: try ScriptedServer.unreachableURL()) { proxy, client in
            let response = try await client.response(to: RequestMessage(url: proxy.appending(path: "a")))

            #expect(response.status == .badGateway)
            #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("cannot reach 127.0.0.1:"))
        }
    }

    @Test func `A port in use is reported in one line`() async throws {
        let other = try ScriptedServer { _ in [] }
        defer { other.stop() }
        let cache = HTTPCache(store: MemoryBlobStore(byteLimit: 1 << 20))
        let server = CacheProxyServer(
            ListenAddress(port: other.port), origin: other.url(""), cache: cache, executor: ScriptedExecutor(), logger: silentLogger)

        await #expect { try await server.run() } throws: { error in
            "\(error)".hasPrefix("Port \(other.port) on 127.0.0.1 is in use")
        }
    }

    // MARK: Rejected requests

    @Test(arguments: [
        ("GET /a", "Host: evil.example\r\n", 421), ("GET /a", "", 400), ("GET /a", "Host: localhost\r\nHost: localhost\r\n", 400),
        ("GET http://evil.example/a", "Host: evil.example\r\n", 421), ("GET http://evil.example/a", "Host: localhost\r\n", 400),
        ("GET http://localhost/a", "Host: localhost\r\n", 200), ("DELETE /a", "Host: localhost\r\nOrigin: http://evil.example\r\n", 403),
        ("DELETE /a", "Host: evil.example\r\nOrigin: http://evil.example\r\n", 421), ("DELETE /a", "Host: localhost\r\n", 200),
    ])
    func `Only requests for an allowed host reach the origin`(line: String, fields: String, code: Int) async throws {
        let origin = try ScriptedServer { _ in Self.ok("", "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let text = try await received(from: proxy, sending: line, fields: fields)

            #expect(text.hasPrefix("HTTP/1.1 \(code) "))
            #expect(text.contains("\r\nCross-Origin-Resource-Policy: same-origin\r\n"))
            #expect(origin.log.requests.map(\.target) == (code == 200 ? ["/a"] : []))
        }
    }

    @Test func `A rejected HEAD has no body`() async throws {
        try await withProxy(for: try ScriptedServer.unreachableURL()) { proxy, _ in
            let text = try await received(from: proxy, sending: "HEAD /a")

            #expect(text.hasPrefix("HTTP/1.1 502 ") && text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test(arguments: ["", "Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n"])
    func `An empty Transfer-Encoding is rejected, and the rest is not read as a request`(others: String) async throws {
        let origin = try ScriptedServer { _ in Self.ok("", "hello") }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let fields = "Host: localhost\r\nTransfer-Encoding: \r\n\(others)\r\nGET /b HTTP/1.1\r\nHost: localhost\r\n"
            let text = try await received(from: proxy, sending: "POST /a", fields: fields)

            #expect(text.hasPrefix("HTTP/1.1 400 ") && text.components(separatedBy: "HTTP/1.1").count == 2)
            #expect(origin.log.requests.isEmpty)
        }
    }

    @Test func `A transfer coding that is not decoded is refused, also in a response`() async throws {
        let origin = try ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")]
        }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let fields = "Host: localhost\r\nTransfer-Encoding: gzip, chunked\r\n"
            let request = try await received(from: proxy, sending: "POST /a", fields: fields)
            let response = try await received(from: proxy, sending: "GET /b")

            #expect(request.hasPrefix("HTTP/1.1 501 ") && request.components(separatedBy: "HTTP/1.1").count == 2)
            #expect(response.hasPrefix("HTTP/1.1 502 "))
            #expect(origin.log.requests.map(\.target) == ["/b"])
        }
    }

    @Test func `A response that switches protocols gives 502`() async throws {
        let origin = try ScriptedServer { _ in
            [.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\nConnection: Upgrade\r\n\r\n"), .pause]
        }
        defer { origin.stop() }
        try await withProxy(for: origin.url("")) { proxy, _ in
            let response = try await received(from: proxy, sending: "GET /a")

            #expect(response.hasPrefix("HTTP/1.1 502 "))
        }
    }

    // MARK: Raw responses

    /// Connects to a proxy.
    func connection(to proxy: URL) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: proxy.host() ?? "", port: proxy.port ?? 0) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel) }
            }
    }

    /// Returns the bytes that a client receives for a request until the server closes the connection.
    ///
    /// - Parameter options: The value of `Connection`; nil for none.
    func received(
        from proxy: URL, sending text: String, version: String = "1.1", fields: String = "Host: localhost\r\n",
        connection options: String? = "close"
    ) async throws -> String {
        let received = try await connection(to: proxy)
        return try await received.executeThenClose { inbound, outbound in
            let fields = fields + (options.map { "Connection: \($0)\r\n" } ?? "")
            try await outbound.write(ByteBuffer(string: "\(text) HTTP/\(version)\r\n\(fields)\r\n"))
            var all = ""
            for try await bytes in inbound { all += String(buffer: bytes) }
            return all
        }
    }
}

/// An executor that records time limits, and responds with an empty body after that of the request.
private final class TimeLimitRecorder: BackendExecutor {
    private let recorded = Mutex<[Duration]>([])

    var timeLimits: [Duration] { recorded.withLock { $0 } }

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        recorded.withLock { $0.append(timeLimit) }
        for try await _ in message.body {}
        return try await receive(ResponseHead(status: .ok), ResponseBody { nil })
    }
}
