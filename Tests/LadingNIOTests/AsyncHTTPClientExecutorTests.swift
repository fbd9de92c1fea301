import AsyncHTTPClient
import HTTPTypes
import LadingConformance
import LadingHTTP
import LadingNIO
import Logging
import ScriptedServers
import Synchronization
import Testing

/// The executor over real sockets, against scripted servers.
@Suite struct AsyncHTTPClientExecutorTests {
    private static let conformance = ExecutorConformance(Set(ExecutorConformance.Capability.allCases)) { readTimeout, use in
        let executor = AsyncHTTPClientExecutor(readTimeout: readTimeout)
        do {
            try await use(executor)
            try await executor.shutdown()
        } catch {
            try await executor.shutdown()
            throw error
        }
    }

    @Test(arguments: conformance.cases) func `The executor passes the conformance suite`(_ example: ExecutorConformance.Case) async throws {
        try await Self.conformance.check(example)
    }

    @Test func `Only methods that anticipate a body send the length of an empty one`() async throws {
        let server = try ScriptedServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        defer { server.stop() }
        let executor = AsyncHTTPClientExecutor()
        let methods: [HTTPRequest.Method] = [.get, .head, .delete, .trace, .post, .put, .init("M-SEARCH")!]

        for method in methods {
            _ = try await BackendClient(executor: executor).response(to: RequestMessage(method: method, url: server.url()))
        }
        try await executor.shutdown()

        #expect(server.log.requests.map(\.method) == methods.map(\.rawValue))
        #expect(server.log.requests.map { $0["Content-Length"] } == [nil, nil, nil, nil, "0", "0", "0"])
    }

    @Test func `The executor's own settings prevail over those of the configuration`() async throws {
        let server = try ScriptedServer { _ in [.send("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")] }
        defer { server.stop() }
        let executor = AsyncHTTPClientExecutor { configuration in
            configuration.redirectConfiguration = .follow(max: 5, allowCycles: true)
            configuration.dnsOverride = ["orders.example": "127.0.0.1"]
        }
        let message = RequestMessage(url: server.url("/a", host: "orders.example"))

        let status = try await executor.execute(message, timeLimit: .seconds(60)) { head, _ in head.status }
        try await executor.shutdown()

        #expect(status == .found)
        #expect(server.log.requests.map(\.target) == ["/a"])
    }

    @Test(arguments: [
        ("101 Switching Protocols", "Upgrade: other\r\nConnection: Upgrade\r\n", "the status code 101 is invalid"),
        ("200 OK", "Transfer-Encoding: gzip, chunked\r\n", "the transfer coding gzip was not requested"),
        ("200 OK", "Transfer-Encoding: br\r\n", "the transfer coding br was not requested"),
    ])
    func `A protocol or a transfer coding that was not requested is malformed`(status: String, fields: String, cause: String) async throws {
        let server = try ScriptedServer { _ in [.send("HTTP/1.1 \(status)\r\n\(fields)\r\n5\r\nhello\r\n0\r\n\r\n"), .close] }
        defer { server.stop() }
        let executor = AsyncHTTPClientExecutor()

        await #expect { try await BackendClient(executor: executor).response(to: RequestMessage(url: server.url())) } throws: { error in
            if case BackendError.malformedResponse(_, let reason) = error { "\(reason)" == cause } else { false }
        }
        try await executor.shutdown()
    }

    @Test func `A response to HEAD may name a transfer coding`() async throws {
        let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n")] }
        defer { server.stop() }
        let executor = AsyncHTTPClientExecutor()

        let response = try await BackendClient(executor: executor).response(to: RequestMessage(method: .head, url: server.url()))
        try await executor.shutdown()

        #expect(response.status == .ok)
    }

    @Test func `Messages without these fields have the name of the client, and request gzip`() async throws {
        let own: HTTPFields = [.userAgent: "Own/1", .acceptEncoding: "identity"]

        #expect(try await fields(of: [:], through: AsyncHTTPClientExecutor()) == ["Lading", "gzip"])
        #expect(try await fields(of: own, through: AsyncHTTPClientExecutor(userAgent: "Orders/2")) == ["Own/1", "identity"])
        #expect(try await fields(of: [:], through: AsyncHTTPClientExecutor(userAgent: "Orders/2")) == ["Orders/2", "gzip"])
        #expect(try await fields(of: [:], through: AsyncHTTPClientExecutor(decompressesBodies: false, userAgent: nil)) == [nil, nil])
    }

    /// Returns the fields `User-Agent` and `Accept-Encoding` of the request that a server receives.
    private func fields(of headers: HTTPFields, through executor: AsyncHTTPClientExecutor) async throws -> [String?] {
        let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
        defer { server.stop() }
        _ = try await BackendClient(executor: executor).response(to: RequestMessage(url: server.url(), headers: headers))
        try await executor.shutdown()
        let request = server.log.requests.first
        return [request?["User-Agent"], request?["Accept-Encoding"]]
    }

    @Test(arguments: ["br", "x-gzip", "deflate, gzip"])
    func `A body in a content coding that was not requested is an error that names the coding`(coding: String) async throws {
        let server = try ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: 5\r\n\r\ncoded")]
        }
        defer { server.stop() }
        let executor = AsyncHTTPClientExecutor()

        await #expect { try await BackendClient(executor: executor).response(to: RequestMessage(url: server.url())) } throws: { error in
            if case BackendError.malformedResponse(_, let cause) = error { "\(cause)".contains(coding) } else { false }
        }
        try await executor.shutdown()
    }

    @Test func `A body in a content coding that the message requests is not decoded`() async throws {
        let server = try ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 5\r\n\r\ncoded")]
        }
        defer { server.stop() }
        let executor = AsyncHTTPClientExecutor()

        let response = try await BackendClient(executor: executor)
            .response(to: RequestMessage(url: server.url(), headers: [.acceptEncoding: "br"]))

        #expect(response.body == Array("coded".utf8))
        try await executor.shutdown()
    }

    @Test func `A body that exceeds the decompression ratio is malformed, whatever the limit of the reader`() async throws {
        // A gzip stream of zeros in one block with dynamic codes (RFC 1951 §3.2.7): each further byte encodes 1,032 of them.
        let start: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255,
            0xEC, 0xC1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 0x08, 0x0A,
        ]
        let body = start + Array(repeating: 0, count: 32 << 10)
        let server = try ScriptedServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"), .send(body)]
        }
        defer { server.stop() }
        let executor = AsyncHTTPClientExecutor()

        await #expect {
            try await BackendClient(executor: executor)
                .response(to: RequestMessage(url: server.url()), within: ResponseLimits(bodySize: 16 << 20))
        } throws: { error in
            if case BackendError.malformedResponse = error { true } else { false }
        }
        try await executor.shutdown()
    }

    @Test(arguments: [false, true])
    func `A gzip body of several members fails, and does not end after the first`(isChunked: Bool) async throws {
        let first: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x4B, 0xCB, 0x2C, 0x2A, 0x2E, 0xD1, 0x51, 0, 0, 4, 0xCF, 0xCE, 0xF1, 7, 0, 0, 0,
        ]
        let second: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x2B, 0x4E, 0x4D, 0xCE, 0xCF, 0x4B, 1, 0, 0x69, 0x11, 0x1F, 0xB6, 6, 0, 0, 0,
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
        let server = try ScriptedServer { _ in
            guard isChunked else { return [.send("\(head)Content-Length: \(first.count + second.count)\r\n\r\n"), .send(first + second)] }
            return [
                .send("\(head)Transfer-Encoding: chunked\r\n\r\n"), .send("1b\r\n"), .send(first), .send("\r\n1a\r\n"), .send(second),
                .send("\r\n0\r\n\r\n"),
            ]
        }
        defer { server.stop() }
        let executor = AsyncHTTPClientExecutor()

        await #expect { try await BackendClient(executor: executor).response(to: RequestMessage(url: server.url())) } throws: { error in
            if case BackendError.malformedResponse(_, let cause) = error { "\(cause)" == "invalidTrailingData" } else { false }
        }
        try await executor.shutdown()
    }

    @Test(.timeLimit(.minutes(10)))
    func `An executor that is released without a shutdown logs a warning and closes its connections`() async throws {
        let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
        defer { server.stop() }
        let log = LogLines()

        do {
            let executor = AsyncHTTPClientExecutor(logger: Logger(label: "test") { _ in log })
            _ = try await BackendClient(executor: executor).response(to: RequestMessage(url: server.url()))
        }
        try await server.wait { $0.closedByClient == 1 }

        #expect(log.lines == ["warning: An AsyncHTTPClientExecutor was released without shutdown(). Its connections are being closed."])
    }

    @Test func `An executor that was shut down logs nothing when it is released`() async throws {
        let log = LogLines()

        do {
            let executor = AsyncHTTPClientExecutor(logger: Logger(label: "test") { _ in log })
            let copy = executor
            try await copy.shutdown()
        }

        #expect(log.lines == [])
    }
}

/// A log handler that stores its lines.
private final class LogLines: LogHandler, Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func log(event: LogEvent) {
        state.withLock { $0.append("\(event.level): \(event.message)") }
    }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
}
