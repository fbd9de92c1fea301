import NIOCore

/// One end of a connection across a link. It passes the events of its socket to the forwarder.
final class LinkChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Int
    /// The direction in which this end sends.
    private let direction: Link.Direction
    private let forwarder: LinkForwarder

    init(of connection: Int, sending direction: Link.Direction, to forwarder: LinkForwarder) {
        self.connection = connection
        self.direction = direction
        self.forwarder = forwarder
    }

    func channelActive(context: ChannelHandlerContext) {
        forwarder.read(connection, direction)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        forwarder.received(unwrapInboundIn(data), connection, direction)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        forwarder.read(connection, direction)
    }

    /// Resumes reading from the other end, since this one is writable again.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        forwarder.read(connection, direction.opposite)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { forwarder.inputClosed(connection, direction) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
