import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server on 127.0.0.1 that answers every request with bytes of the test's choice, however wrong, and sees its connections close.
final class RawServer: Sendable {
    /// What it does once it has read the head of a request.
    enum Behaviour: Sendable {
        /// Sends these bytes and keeps the connection open.
        case send(String)
        /// Sends these bytes and closes the connection.
        case sendAndClose(String)
        /// Sends a head and then a body without end, as fast as the reader takes it.
        case sendForever
        /// Reads and says nothing.
        case silence
    }

    let url: URL
    private let channel: any Channel
    private let requests: AsyncStream<Void>
    private let closings: AsyncStream<Void>
    private let counter: Counter

    init(_ behaviour: Behaviour) async throws {
        let (closings, report) = AsyncStream<Void>.makeStream()
        let (requests, announce) = AsyncStream<Void>.makeStream()
        let sent = Counter()
        self.closings = closings
        self.requests = requests
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        RawHandler(behaviour, sent: sent, whenAsked: { announce.yield() }, whenClosed: { report.yield() }))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        counter = sent
        url = URL(string: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/thing")!
    }

    /// How many bytes of an endless body have been handed to the system.
    var bytesSent: Int { counter.value.withLock { $0 } }

    /// Waits until a request has come in.
    func requestReceived() async {
        for await _ in requests { return }
    }

    /// Waits until a connection has been closed by the client.
    func connectionClosed() async {
        for await _ in closings { return }
    }

    func stop() async throws {
        try await channel.close()
    }
}

final class Counter: Sendable {
    let value = Mutex(0)
}

private final class RawHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let behaviour: RawServer.Behaviour
    private let sent: Counter
    private let whenAsked: @Sendable () -> Void
    private let whenClosed: @Sendable () -> Void
    private var isSending = false

    init(
        _ behaviour: RawServer.Behaviour, sent: Counter, whenAsked: @escaping @Sendable () -> Void,
        whenClosed: @escaping @Sendable () -> Void
    ) {
        self.behaviour = behaviour
        self.sent = sent
        self.whenAsked = whenAsked
        self.whenClosed = whenClosed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        whenAsked()
        switch behaviour {
        case .silence: break
        case .send(let text): write(text, context)
        case .sendAndClose(let text):
            write(text, context)
            context.close(promise: nil)
        case .sendForever:
            write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", context)
            isSending = true
            fill(context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { fill(context) }

    func channelInactive(context: ChannelHandlerContext) { whenClosed() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func fill(_ context: ChannelHandlerContext) {
        let chunk = String(repeating: "x", count: 65_536)
        while isSending, context.channel.isActive, context.channel.isWritable {
            write("10000\r\n\(chunk)\r\n", context)
            sent.value.withLock { $0 += chunk.count }
        }
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)), promise: nil)
    }
}
