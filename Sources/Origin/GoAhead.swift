import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells a client to go on that waits for it before it sends its content (`Expect: 100-continue`, RFC 9110 §10.1.1).
///
/// A client may send a request while the reply to another is under way: it is told once that one has ended.
final class GoAhead: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many requests have no whole reply yet.
    private var unanswered = 0
    /// Whether the client of the last of them waits.
    private var isAwaited = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            unanswered += 1
            isAwaited = request.headerFields[.expect]?.lowercased() == "100-continue"
            tell(context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .end = unwrapOutboundIn(data) else { return }
        unanswered -= 1
        tell(context)
    }

    private func tell(_ context: ChannelHandlerContext) {
        guard isAwaited, unanswered == 1 else { return }
        isAwaited = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
}
