import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ServerStartup

@Suite struct BodyRateHandlerTests {
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandler(ClientTimeoutInstaller())
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 4711)).wait()
        channel.read()
    }

    /// Receives parts of a request.
    ///
    /// - Parameter isReading: Whether the server reads on.
    private func receive(_ parts: HTTPRequestPart..., isReading: Bool = true) {
        let pipeline = channel.pipeline.syncOperations
        for part in parts { pipeline.fireChannelRead(NIOAny(part)) }
        pipeline.fireChannelReadComplete()
        if isReading { channel.read() }
    }

    private func advance(by time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    private let head = HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/language"))

    private func body(_ count: Int) -> HTTPRequestPart { .body(ByteBuffer(repeating: 1, count: count)) }

    @Test func `A body that drips closes the connection after a minute`() {
        receive(head)
        for _ in 0..<59 {
            receive(body(10))
            advance(by: .seconds(1))
            #expect(channel.isActive)
        }

        receive(body(10))
        advance(by: .seconds(1))

        #expect(!channel.isActive)
    }

    @Test func `A slow body with the minimum rate is received`() {
        receive(head)
        for _ in 0..<100 {
            advance(by: .seconds(59))
            receive(body(BodyRateHandler.minimumCount))
            advance(by: .seconds(1))
            #expect(channel.isActive)
        }

        advance(by: BodyRateHandler.interval)
        #expect(!channel.isActive)
    }

    @Test func `Each body has a minute of its own, and the time between bodies does not count`() {
        for _ in 0..<3 {
            receive(head, body(1))
            advance(by: .seconds(50))
            receive(body(1), .end(nil))
            advance(by: .seconds(5))
            #expect(channel.isActive)
        }

        receive(head, body(1), .end(nil), head)
        advance(by: .seconds(59))
        #expect(channel.isActive)
        advance(by: .seconds(1))

        #expect(!channel.isActive)
    }

    @Test func `A connection without a body is not closed`() {
        receive(head, .end(nil))

        advance(by: .hours(1))

        #expect(channel.isActive)
    }

    @Test func `The time in which the server reads nothing does not count`() {
        receive(head)
        advance(by: .seconds(50))
        receive(body(1), isReading: false)
        advance(by: .hours(1))
        #expect(channel.isActive)

        channel.read()
        advance(by: .seconds(9))
        #expect(channel.isActive)
        advance(by: .seconds(1))

        #expect(!channel.isActive)
    }

    @Test func `Short pauses of the server do not extend the time`() {
        receive(head)
        for _ in 0..<60 {
            #expect(channel.isActive)
            receive(body(1), isReading: false)
            channel.read()
            advance(by: .seconds(1))
        }

        #expect(!channel.isActive)
    }
}
