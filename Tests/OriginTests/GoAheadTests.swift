import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Origin

@Suite("Go-ahead for clients that wait")
struct GoAheadTests {
    private static let goAhead = HTTPResponsePart.head(HTTPResponse(status: .continue))

    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandler(GoAhead())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    }

    @Test(arguments: ["100-continue", "100-Continue"])
    func `Who waits is told at once, and once`(expectation: String) throws {
        try ask(expecting: expectation)

        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == Self.goAhead)
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    }

    @Test(arguments: [nil, "something"] as [String?])
    func `Who does not wait is not told`(expectation: String?) throws {
        try ask(expecting: expectation)

        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    }

    @Test func `Who waits behind a reply that is under way is told after it`() throws {
        try ask(expecting: nil)
        try ask(expecting: "100-continue")
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)

        try channel.writeOutbound(HTTPResponsePart.end(nil))

        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == .end(nil))
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == Self.goAhead)
    }

    private func ask(expecting expectation: String?) throws {
        var request = HTTPRequest(method: .put, scheme: "http", authority: "localhost", path: "/uploads/a")
        request.headerFields[.expect] = expectation
        try channel.writeInbound(HTTPRequestPart.head(request))
    }
}
