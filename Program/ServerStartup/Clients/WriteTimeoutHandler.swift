import Foundation
import NIOCore

/// A channel handler that closes a connection on which bytes are pending and none was written for a minute.
///
/// It is next to the socket, so that it counts what the socket writes: with TLS the encrypted bytes. A client that reads slowly keeps its
/// connection.
final class WriteTimeoutHandler: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The time after which a connection is closed when bytes are pending and none was written. It takes up to twice as long to notice.
    static let timeout = TimeAmount.seconds(60)

    /// The number of bytes that were passed to the socket.
    private var passedCount = 0
    /// The number of bytes that the socket had written when the check was scheduled.
    private var writtenCount = 0
    /// The scheduled check; nil while no bytes are pending.
    private var check: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
        #if os(Linux)
            // The same timeout for the system's buffer (RFC 5482), which the heartbeats of an unread event stream fill only after hours.
            let option = ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT))
            try? context.channel.syncOptions?.setOption(option, value: SocketOptionValue(Self.timeout.nanoseconds / 1_000_000))
        #endif
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        passedCount += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard check == nil else { return }
        let pendingCount = pendingCount(context)
        if pendingCount > 0 { scheduleCheck(context, pendingCount) }
    }

    private func scheduleCheck(_ context: ChannelHandlerContext, _ pendingCount: Int) {
        writtenCount = passedCount - pendingCount
        check = context.eventLoop.assumeIsolated().scheduleTask(in: Self.timeout) { self.checkProgress(context) }
    }

    private func checkProgress(_ context: ChannelHandlerContext) {
        check = nil
        let pendingCount = pendingCount(context)
        guard pendingCount > 0 else { return }
        guard passedCount - pendingCount > writtenCount else { return context.close(promise: nil) }
        scheduleCheck(context, pendingCount)
    }

    /// Returns the number of bytes that the socket has not written; 0 once the channel is closed.
    private func pendingCount(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
