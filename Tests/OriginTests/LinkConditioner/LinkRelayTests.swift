import NIOCore
import NIOEmbedded
import Testing

@testable import Origin

/// The relay on an event loop whose time stands still until it is moved.
@Suite("Link relay")
struct LinkRelayTests {
    @Test func `Bytes are there when the link says so, not before`() throws {
        let bench = try LinkBench()
        let (client, server) = try bench.connect()

        try client.writeInbound(ByteBuffer(string: "hello"))
        bench.loop.advanceTime(by: .milliseconds(304))
        #expect(try server.received() == "")
        bench.loop.advanceTime(by: .milliseconds(1))

        #expect(try server.received() == "hello")
    }

    @Test func `Two parallel transfers share one bandwidth`() throws {
        let bench = try LinkBench()
        let pairs = try [bench.connect(), bench.connect()]

        for pair in pairs { try pair.server.writeInbound(ByteBuffer(repeating: 1, count: 14_600)) }
        bench.loop.advanceTime(by: .milliseconds(200 + 14_600))

        for pair in pairs { #expect(try pair.client.received().utf8.count == 7_300) }
    }

    @Test func `A transfer that is closed in the middle frees the line for the other`() throws {
        let bench = try LinkBench()
        let pairs = try [bench.connect(), bench.connect()]
        for pair in pairs { try pair.server.writeInbound(ByteBuffer(repeating: 1, count: 14_600)) }

        bench.loop.advanceTime(by: .milliseconds(200 + 4 * 1_460))
        _ = pairs[0].client.close()
        bench.loop.advanceTime(by: .milliseconds(9 * 1_460))

        // Two segments of each before, a third of the closed one that was on the line, and eight of the other.
        #expect(try pairs[1].client.received().utf8.count == 14_600)
        #expect(!pairs[0].server.isActive)
    }

    @Test func `A side is read only while there is room for what it has`() throws {
        let bench = try LinkBench()
        let (client, server) = try bench.connect()
        let reads = try ReadCounter.added(to: server)

        try server.writeInbound(ByteBuffer(repeating: 1, count: LinkLine.window))
        #expect(reads.count == 0)
        bench.loop.advanceTime(by: .milliseconds(200 + 1_460))

        #expect(reads.count == 1)
        #expect(client.isActive)
    }

    @Test func `A side that does not take what it is sent keeps the other from being read`() throws {
        let bench = try LinkBench()
        let (client, server) = try bench.connect()
        let reads = try ReadCounter.added(to: server)
        client.isWritable = false

        try server.writeInbound(ByteBuffer(repeating: 1, count: 10))
        bench.loop.advanceTime(by: .seconds(1))
        #expect(reads.count == 0)
        client.isWritable = true
        client.pipeline.fireChannelWritabilityChanged()

        #expect(reads.count == 1)
    }

    @Test func `A link that takes no more closes those who come`() throws {
        let bench = try LinkBench()
        for _ in 0..<LinkRelay.connectionLimit { _ = try bench.connect() }

        #expect(throws: ChannelError.self) { try bench.connect() }
    }

    @Test func `A link that is taken down closes all and takes none`() throws {
        let bench = try LinkBench()
        let (client, server) = try bench.connect()

        bench.relay.takeDown()

        #expect(!client.isActive && !server.isActive)
        #expect(throws: ChannelError.self) { try bench.connect() }
    }
}

/// A relay on a link where a byte takes a millisecond and a round trip takes 200.
private struct LinkBench {
    let loop = EmbeddedEventLoop()
    let relay: LinkRelay

    init() throws {
        let profile = LinkProfile(name: "test", down: 8, up: 8, roundTrip: .milliseconds(200))
        relay = LinkRelay(Link(profile, seed: 1), on: loop)
    }

    func connect() throws -> (client: EmbeddedChannel, server: EmbeddedChannel) {
        let (client, server) = (EmbeddedChannel(loop: loop), EmbeddedChannel(loop: loop))
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 80)
        try server.connect(to: address).wait()
        try relay.join(client, server)
        try client.connect(to: address).wait()
        return (client, server)
    }
}

/// Counts how often a channel is asked to read.
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
    /// Everything that was written to it since it was asked last.
    fileprivate func received() throws -> String {
        var text = ""
        while let bytes = try readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }
}
