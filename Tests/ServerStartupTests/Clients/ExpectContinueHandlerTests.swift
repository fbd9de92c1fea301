import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ServerStartup

@Suite("100 Continue")
struct ExpectContinueHandlerTests {
    private static let continueHead = HTTPResponsePart.head(HTTPResponse(status: .continue))

    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandler(ExpectContinueHandler())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    }

    @Test(arguments: ["100-continue", "100-Continue"])
    func `A client that expects 100 Continue gets it immediately and once`(expectation: String) throws {
        try sendRequest(expecting: expectation)

        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == Self.continueHead)
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    }

    @Test(arguments: [nil, "something"] as [String?])
    func `A client without the expectation gets no 100 Continue`(expectation: String?) throws {
        try sendRequest(expecting: expectation)

        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    }

    @Test func `100 Continue follows a response that is still being sent`() throws {
        try sendRequest(expecting: nil)
        try sendRequest(expecting: "100-continue")
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)

        try channel.writeOutbound(HTTPResponsePart.end(nil))

        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == .end(nil))
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == Self.continueHead)
    }

    private func sendRequest(expecting expectation: String?) throws {
        var request = HTTPRequest(method: .put, scheme: "http", authority: "localhost", path: "/uploads/a")
        request.headerFields[.expect] = expectation
        try channel.writeInbound(HTTPRequestPart.head(request))
    }
}
