import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ServerSecurity

@Suite struct RequestHeadHandlerTests {
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandler(RequestHeadHandler())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    }

    private func received(_ uri: String, _ fields: HTTPHeaders) throws -> HTTPRequestHead? {
        try channel.writeInbound(
            HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: fields)))
        guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self) else { return nil }
        return head
    }

    @Test(arguments: ["/", "/a/../b", "//evil.example/", "/?", "/a%2Fb?c=%20", "*"])
    func `A target in origin form is not changed`(uri: String) throws {
        let head = try received(uri, ["Host": "localhost"])

        #expect(head?.uri == uri && head?.headers["Host"] == ["localhost"])
    }

    @Test(arguments: [
        ("http://localhost", "/"), ("HTTP://LOCALHOST/a//b?", "/a//b?"), ("https://localhost?a=%2F", "/?a=%2F"),
    ])
    func `An absolute target is replaced by its path`(uri: String, path: String) throws {
        let head = try received(uri, ["Host": "localhost"])

        #expect(head?.uri == path && head?.headers["Host"] == ["localhost"])
    }

    @Test(arguments: [
        "http://evil.example/", "http://localhost:81/", "http://user@localhost/", "http:///", "http://localhost\\@evil.example/",
    ])
    func `An absolute target with another host adds a second Host`(uri: String) throws {
        let head = try #require(try received(uri, ["Host": "localhost"]))

        #expect(head.headers["Host"].count == 2)
    }

    @Test func `An absolute target does not replace a missing Host`() throws {
        #expect(try received("http://localhost/", [:])?.headers["Host"] == [])
    }

    @Test(arguments: ["ftp://localhost/", "localhost:80", "a", "", "http:/localhost"])
    func `The Host of a target in any other form is removed`(uri: String) throws {
        #expect(try received(uri, ["Host": "localhost"])?.headers["Host"] == [])
    }

    @Test(arguments: [["", "chunked"], ["chunked", ""], [""], [" "]])
    func `A request with an empty transfer coding is an error, and nothing after it is read`(codings: [String]) throws {
        let fields = HTTPHeaders([("Host", "localhost")] + codings.map { ("Transfer-Encoding", $0) })

        #expect(throws: HTTPParserError.self) { try received("/", fields) }
        #expect(try received("/", ["Host": "localhost"]) == nil)
    }

    @Test func `A final response gets Cross-Origin-Resource-Policy unless it has one`() throws {
        let responses: [(HTTPResponseStatus, HTTPHeaders)] = [
            (.continue, HTTPHeaders()), (.ok, HTTPHeaders()), (.notFound, ["Cross-Origin-Resource-Policy": "cross-origin"]),
        ]
        for (status, fields) in responses {
            try channel.writeOutbound(HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields)))
        }

        let policies = try (0..<3).map { _ -> [String] in
            guard case .head(let head)? = try channel.readOutbound(as: HTTPServerResponsePart.self) else { return ["none"] }
            return head.headers["Cross-Origin-Resource-Policy"]
        }

        #expect(policies == [[], ["same-origin"], ["cross-origin"]])
    }
}
