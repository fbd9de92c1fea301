import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ServerSecurity

/// The ends of connections, and responses to HTTP/1.0.
@Suite struct RequestVersionTests {
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandlers([HTTPResponseEncoder(), RequestHeadHandler()])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    }

    /// Sends a request, and returns the head that the server receives; nil for none.
    @discardableResult
    private func receive(_ version: HTTPVersion, _ fields: HTTPHeaders = [:]) throws -> HTTPRequestHead? {
        try channel.writeInbound(
            HTTPServerRequestPart.head(HTTPRequestHead(version: version, method: .GET, uri: "/", headers: fields)))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self) else { return nil }
        _ = try channel.readInbound(as: HTTPServerRequestPart.self)
        return head
    }

    private func send(_ status: HTTPResponseStatus, _ body: String? = nil) throws {
        try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: status)))
        guard let body else { return }
        try channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: body))))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    /// The text that was sent since the last call.
    private func sentText() throws -> String {
        var text = ""
        while case .byteBuffer(let bytes)? = try channel.readOutbound(as: IOData.self) { text += String(buffer: bytes) }
        return text
    }

    // MARK: Responses

    @Test func `A client of HTTP/1.0 receives neither interim responses nor chunks`() throws {
        try receive(.http1_0)

        try send(.continue)
        try send(.custom(code: 103, reasonPhrase: "Early Hints"))
        try send(.ok, "hello")

        let text = try sentText()
        #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n") && text.hasSuffix("\r\n\r\nhello"))
        #expect(!text.lowercased().contains("transfer-encoding"))
    }

    @Test func `A client of HTTP/1.1 receives both, also before a request of HTTP/1.0`() throws {
        try receive(.http1_1)
        try receive(.http1_0)

        try send(.continue)
        try send(.ok, "hello")
        let first = try sentText()
        try send(.continue)
        try send(.ok, "bye")
        let second = try sentText()

        #expect(first.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n") && first.hasSuffix("\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
        #expect(second.hasPrefix("HTTP/1.0 200 OK\r\n") && second.hasSuffix("\r\n\r\nbye"))
    }

    // MARK: Ends of connections

    @Test(
        arguments: [
            (.http1_1, [], [], []), (.http1_1, ["keep-alive"], ["keep-alive"], []), (.http1_1, ["Upgrade, X-A"], ["Upgrade, X-A"], []),
            (.http1_1, ["close"], ["close"], []), (.http1_1, ["Close"], ["close"], []), (.http1_1, ["TE, close"], ["close"], ["TE"]),
            (.http1_1, ["close", "X-A, X-B"], ["close"], ["X-A, X-B"]), (.http1_0, [], ["close"], []),
            (.http1_0, ["Keep-Alive"], ["close"], ["Keep-Alive"]),
        ] as [(HTTPVersion, [String], [String], [String])])
    func `A request that ends its connection has the option close alone`(
        version: HTTPVersion, options: [String], passed: [String], others: [String]
    ) throws {
        let head = try #require(try receive(version, HTTPHeaders(options.map { ("Connection", $0) })))

        #expect(head.headers["Connection"] == passed)
        #expect(head.headers["Proxy-Connection"] == others)
    }

    @Test(arguments: [HTTPVersion.http1_0, .http1_1])
    func `Nothing is read after the last request of a connection`(version: HTTPVersion) throws {
        let fields: HTTPHeaders = version == .http1_0 ? ["Connection": "keep-alive"] : ["Connection": "close"]

        #expect(try receive(version, fields) != nil)
        #expect(try receive(.http1_1) == nil)
    }

    @Test func `Requests follow each other otherwise`() throws {
        for _ in 0..<3 { #expect(try receive(.http1_1, ["Connection": "keep-alive"]) != nil) }
    }

    @Test func `Only the handler notes the version`() throws {
        let claim: HTTPHeaders = ["Lading-Request-Version": "0.9", "Accept": "a/b"]

        #expect(try receive(.http1_1, claim)?.headers["Lading-Request-Version"] == [])
        #expect(try receive(.http1_0, claim)?.headers["Lading-Request-Version"] == ["1.0"])
    }

    // MARK: Transfer codings

    @Test(arguments: ["chunked", "Chunked", " chunked ,"]) func `A chunked body is accepted`(coding: String) throws {
        #expect(try receive(.http1_1, ["Transfer-Encoding": coding])?.headers["Transfer-Encoding"] == [coding])
    }

    @Test(arguments: [["gzip, chunked"], ["gzip", "chunked"], ["chunked", "chunked"], ["gzip"]])
    func `Another transfer coding gets 501 after earlier responses, and nothing after it is read`(codings: [String]) throws {
        try receive(.http1_1)

        #expect(throws: HTTPParserError.self) { try receive(.http1_1, HTTPHeaders(codings.map { ("Transfer-Encoding", $0) })) }
        #expect(try receive(.http1_1) == nil)
        try send(.badRequest, "first")
        try send(.badRequest, "second")

        let lines = try sentText().split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1") }
        #expect(lines == ["HTTP/1.1 400 Bad Request", "HTTP/1.1 501 Not Implemented"])
    }

    @Test func `An empty transfer coding gets 400`() throws {
        #expect(throws: HTTPParserError.self) { try receive(.http1_1, ["Transfer-Encoding": ""]) }
        try send(.badRequest, "")

        #expect(try sentText().hasPrefix("HTTP/1.1 400 "))
    }
}
