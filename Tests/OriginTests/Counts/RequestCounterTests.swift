import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Origin

@Suite("Request counter")
struct RequestCounterTests {
    private let tally = RequestTally()
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandler(RequestCounter(tally))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    }

    @Test(
        arguments: [
            ("orders.plist", [1, 0, 0, 0]), ("items.plist", [1, 0, 0, 0]), ("order-1.xml", [0, 1, 0, 0]),
            ("order-999999.xml", [0, 1, 0, 0]),
            ("item-1.xml", [0, 0, 1, 0]), ("item-1.svg", [0, 0, 0, 1]), ("order-1.xml?again", [0, 1, 0, 0]), ("other", [0, 0, 0, 0]),
        ])
    func `Requests are counted by what they ask for`(name: String, counts: [Int]) throws {
        try ask("/swift-concurrency/\(name)")

        #expect(tally.counts.asked == counts)
    }

    @Test func `What is no document is not counted, nor is HEAD, nor are the counts`() throws {
        for path in ["/health", "/-/counts", "/nothing", "/order-1.xml"] {
            try ask(path)
            try reply()
        }
        try ask("/swift-concurrency/order-1.xml", method: .head)
        try reply()

        #expect(tally.counts == RequestCounts())
    }

    @Test func `A reply is completed when its end is handed over, not before`() throws {
        try ask()
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: "hello")))
        #expect(tally.counts.completed == 0)

        try channel.writeOutbound(HTTPResponsePart.end(nil))

        expectEndings(completed: 1)
    }

    @Test func `A client that leaves while it is owed a reply cuts it off`() throws {
        try ask()

        channel.pipeline.fireChannelInactive()

        expectEndings(cutOff: 1)
    }

    @Test func `A client that leaves while the reply is on its way out cuts it off`() throws {
        try ask()
        channel.write(HTTPResponsePart.end(nil), promise: nil)

        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.flush()

        expectEndings(cutOff: 1)
    }

    @Test func `A server that closes in the middle hangs up`() throws {
        try ask()

        channel.close(promise: nil)

        expectEndings(hungUp: 1)
    }

    @Test func `A connection that ends between replies ends none`() throws {
        try ask()
        try reply()

        channel.close(promise: nil)

        expectEndings(completed: 1)
    }

    @Test func `Replies are told apart by their order`() throws {
        try ask("/health")
        try ask()
        try ask()
        try reply()
        #expect(tally.counts.completed == 0)
        try reply()

        channel.pipeline.fireChannelInactive()

        expectEndings(completed: 1, cutOff: 1)
    }

    private func ask(_ path: String = "/swift-concurrency/order-1.xml", method: HTTPRequest.Method = .get) throws {
        try channel.writeInbound(HTTPRequestPart.head(HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)))
    }

    private func reply() throws {
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    private func expectEndings(
        completed: Int = 0, cutOff: Int = 0, hungUp: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(tally.counts.endings == [completed, cutOff, hungUp], sourceLocation: sourceLocation)
    }
}
