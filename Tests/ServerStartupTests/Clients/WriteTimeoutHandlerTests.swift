import NIOCore
import NIOEmbedded
import Testing

@testable import ServerStartup

@Suite struct WriteTimeoutHandlerTests {
    private let channel = EmbeddedChannel()
    private let socket = Socket()

    init() throws {
        let pipeline = channel.pipeline.syncOperations
        // As the handler of TLS, it is in the pipeline before the installer, and writes more bytes than it receives.
        try pipeline.addHandlers([Doubler(), ClientTimeoutInstaller()])
        try pipeline.addHandler(socket, position: .first)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 4711)).wait()
    }

    private func write() { channel.writeAndFlush(ByteBuffer(repeating: 1, count: 1_000), promise: nil) }

    private func advance(by time: TimeAmount = WriteTimeoutHandler.timeout) { channel.embeddedEventLoop.advanceTime(by: time) }

    @Test func `A connection is closed when its client reads nothing for a minute`() {
        socket.isBlocked = true
        write()

        advance(by: WriteTimeoutHandler.timeout - .milliseconds(1))
        #expect(channel.isActive)
        advance(by: .milliseconds(1))

        #expect(!channel.isActive)
    }

    @Test func `Heartbeats of an event stream do not keep the connection of a client that reads nothing`() {
        socket.isBlocked = true
        for _ in 0..<4 {
            write()
            advance(by: .seconds(15))
        }

        #expect(!channel.isActive)
    }

    @Test func `A client that reads slowly keeps its connection`() {
        socket.isBlocked = true
        write()
        for _ in 0..<10 {
            advance(by: .seconds(30))
            // The socket writes what is pending, and something new is pending.
            socket.isBlocked = false
            channel.flush()
            socket.isBlocked = true
            write()
            advance(by: .seconds(30))
            #expect(channel.isActive)
        }

        advance()
        #expect(!channel.isActive)
    }

    @Test func `A connection without pending bytes is not closed`() {
        write()
        for _ in 0..<5 { advance() }
        #expect(channel.isActive)

        // A later response has the whole time.
        socket.isBlocked = true
        write()
        advance(by: WriteTimeoutHandler.timeout - .milliseconds(1))
        #expect(channel.isActive)
        advance(by: .milliseconds(1))

        #expect(!channel.isActive)
    }

    #if os(Linux)
        @Test func `Bytes in the buffer of the system have the same timeout, in milliseconds`() {
            let option = channel.options.first { $0.option is ChannelOptions.Types.SocketOption }

            #expect(option?.value as? SocketOptionValue == 60_000)
        }
    #endif
}

/// A socket that writes nothing while it is blocked.
private final class Socket: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny

    var isBlocked = false

    func flush(context: ChannelHandlerContext) {
        if !isBlocked { context.flush() }
    }
}

/// A handler that writes all bytes twice.
private final class Doubler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = unwrapOutboundIn(data)
        bytes.writeImmutableBuffer(bytes)
        context.write(wrapOutboundOut(bytes), promise: promise)
    }
}
