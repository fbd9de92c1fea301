import NIOCore
import NIOEmbedded
import Testing

@testable import Origin

/// The forwarder on an event loop with manual time.
@Suite("Link forwarder")
struct LinkForwarderTests {
    @Test func `Bytes arrive at their scheduled time`() throws {
        let harness = try LinkForwarderHarness()
        let (client, server) = try harness.connect()

        try client.writeInbound(ByteBuffer(string: "hello"))
        harness.loop.advanceTime(by: .milliseconds(304))
        #expect(try server.received() == "")
        harness.loop.advanceTime(by: .milliseconds(1))

        #expect(try server.received() == "hello")
    }

    @Test func `Two parallel transfers share one bandwidth`() throws {
        let harness = try LinkForwarderHarness()
        let pairs = try [harness.connect(), harness.connect()]

        for pair in pairs { try pair.server.writeInbound(ByteBuffer(repeating: 1, count: 14_600)) }
        harness.loop.advanceTime(by: .milliseconds(200 + 14_600))

        for pair in pairs { #expect(try pair.client.received().utf8.count == 7_300) }
    }

    @Test func `A closed transfer frees the bandwidth for the other`() throws {
        let harness = try LinkForwarderHarness()
        let pairs = try [harness.connect(), harness.connect()]
        for pair in pairs { try pair.server.writeInbound(ByteBuffer(repeating: 1, count: 14_600)) }

        harness.loop.advanceTime(by: .milliseconds(200 + 4 * 1_460))
        _ = pairs[0].client.close()
        harness.loop.advanceTime(by: .milliseconds(9 * 1_460))

        // Two segments of each before, the third of the closed one, which was in transmission, and eight of the other.
        #expect(try pairs[1].client.received().utf8.count == 14_600)
        #expect(!pairs[0].server.isActive)
    }

    @Test func `A side is read only while its window has room`() throws {
        let harness = try LinkForwarderHarness()
        let (client, server) = try harness.connect()
        let reads = try ReadCounter.added(to: server)

        try server.writeInbound(ByteBuffer(repeating: 1, count: DirectedLink.sendWindow))
        #expect(reads.count == 0)
        harness.loop.advanceTime(by: .milliseconds(200 + 1_460))

        #expect(reads.count == 1)
        #expect(client.isActive)
    }

    @Test func `An unwritable side stops reads from the other`() throws {
        let harness = try LinkForwarderHarness()
        let (client, server) = try harness.connect()
        let reads = try ReadCounter.added(to: server)
        client.isWritable = false

        try server.writeInbound(ByteBuffer(repeating: 1, count: 10))
        harness.loop.advanceTime(by: .seconds(1))
        #expect(reads.count == 0)
        client.isWritable = true
        client.pipeline.fireChannelWritabilityChanged()

        #expect(reads.count == 1)
    }

    @Test func `A writability change during a write is handled`() throws {
        let harness = try LinkForwarderHarness()
        let (client, server) = try harness.connect()
        try client.pipeline.syncOperations.addHandler(WritabilityTogglingHandler(), position: .first)

        try server.writeInbound(ByteBuffer(string: "hello"))
        harness.loop.advanceTime(by: .seconds(1))

        #expect(try client.received() == "hello")
    }

    @Test func `A link at its limit closes new connections`() throws {
        let harness = try LinkForwarderHarness()
        for _ in 0..<LinkForwarder.connectionLimit { _ = try harness.connect() }

        #expect(throws: ChannelError.self) { try harness.connect() }
    }

    @Test func `A link that was shut down closes all connections and accepts none`() throws {
        let harness = try LinkForwarderHarness()
        let (client, server) = try harness.connect()

        harness.forwarder.shutdown()

        #expect(!client.isActive && !server.isActive)
        #expect(throws: ChannelError.self) { try harness.connect() }
    }
}

/// A forwarder on a link with one byte per millisecond and a round trip of 200 ms.
private struct LinkForwarderHarness {
    let loop = EmbeddedEventLoop()
    let forwarder: LinkForwarder

    init() throws {
        let profile = LinkProfile(name: "test", down: 8, up: 8, roundTrip: .milliseconds(200))
        forwarder = LinkForwarder(Link(profile, seed: 1), on: loop)
    }

    func connect() throws -> (client: EmbeddedChannel, server: EmbeddedChannel) {
        let (client, server) = (EmbeddedChannel(loop: loop), EmbeddedChannel(loop: loop))
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 80)
        try server.connect(to: address).wait()
        try forwarder.addConnection(client, server)
        try client.connect(to: address).wait()
        return (client, server)
    }
}

/// A handler that reports a change of writability at every write.
private final class WritabilityTogglingHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.fireChannelWritabilityChanged()
        context.write(data, promise: promise)
    }
}

/// A handler that counts the reads of a channel.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private(set) var count = 0

    static func added(to channel: EmbeddedChannel) throws -> ReadCounter {
        let counter = ReadCounter()
        try channel.pipeline.syncOperations.addHandler(counter, position: .first)
        return counter
    }

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

extension EmbeddedChannel {
    /// Returns all bytes written to the channel since the last call.
    fileprivate func received() throws -> String {
        var text = ""
        while let bytes = try readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }
}
