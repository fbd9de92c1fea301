import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Origin

@Suite("Request counter")
struct RequestCounterTests {
    private let metrics = RequestMetrics()
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandler(RequestCounter(metrics))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    }

    @Test(
        arguments: [
            ("orders.plist", [1, 0, 0, 0]), ("items.plist", [1, 0, 0, 0]), ("order-1.xml", [0, 1, 0, 0]),
            ("order-999999.xml", [0, 1, 0, 0]),
            ("item-1.xml", [0, 0, 1, 0]), ("item-1.svg", [0, 0, 0, 1]), ("order-1.xml?again", [0, 1, 0, 0]), ("other", [0, 0, 0, 0]),
        ])
    func `Requests are counted by the kind of document`(name: String, counts: [Int]) throws {
        try sendRequest("/swift-concurrency/\(name)")

        #expect(metrics.counts.requestRow == counts)
    }

    @Test func `Unknown paths, HEAD requests and the counts themselves are not counted`() throws {
        for path in ["/health", "/-/counts", "/nothing", "/order-1.xml"] {
            try sendRequest(path)
            try sendResponse()
        }
        try sendRequest("/swift-concurrency/order-1.xml", method: .head)
        try sendResponse()

        #expect(metrics.counts == RequestCounts())
    }

    @Test func `A response is completed when its end has been written`() throws {
        try sendRequest()
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: "hello")))
        #expect(metrics.counts.completed == 0)

        try channel.writeOutbound(HTTPResponsePart.end(nil))

        expectOutcomes(completed: 1)
    }

    @Test func `A disconnect before the response is counted as client-closed`() throws {
        try sendRequest()

        channel.pipeline.fireChannelInactive()

        expectOutcomes(clientClosed: 1)
    }

    @Test func `A disconnect during the last write is counted as client-closed`() throws {
        try sendRequest()
        channel.write(HTTPResponsePart.end(nil), promise: nil)

        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.flush()

        expectOutcomes(clientClosed: 1)
    }

    @Test func `A close by the server before the response is counted as server-closed`() throws {
        try sendRequest()

        channel.close(promise: nil)

        expectOutcomes(serverClosed: 1)
    }

    @Test func `A close between responses counts no further outcome`() throws {
        try sendRequest()
        try sendResponse()

        channel.close(promise: nil)

        expectOutcomes(completed: 1)
    }

    @Test func `Pipelined responses are matched in order`() throws {
        try sendRequest("/health")
        try sendRequest()
        try sendRequest()
        try sendResponse()
        #expect(metrics.counts.completed == 0)
        try sendResponse()

        channel.pipeline.fireChannelInactive()

        expectOutcomes(completed: 1, clientClosed: 1)
    }

    private func sendRequest(_ path: String = "/swift-concurrency/order-1.xml", method: HTTPRequest.Method = .get) throws {
        try channel.writeInbound(HTTPRequestPart.head(HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)))
    }

    private func sendResponse() throws {
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    private func expectOutcomes(
        completed: Int = 0, clientClosed: Int = 0, serverClosed: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(metrics.counts.outcomeRow == [completed, clientClosed, serverClosed], sourceLocation: sourceLocation)
    }
}
