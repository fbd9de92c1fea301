import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells a client to go on that waits for it before it sends its content (`Expect: 100-continue`, RFC 9110 §10.1.1).
///
/// A client may send a request while the reply to another is under way: it is told once that one has ended.
final class ExpectContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How many requests have no whole reply yet.
    private var pendingResponses = 0
    /// Whether the client of the last of them waits.
    private var expectsContinue = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            pendingResponses += 1
            expectsContinue = request.headerFields[.expect]?.lowercased() == "100-continue"
            sendContinueIfNeeded(context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .end = unwrapOutboundIn(data) else { return }
        pendingResponses -= 1
        sendContinueIfNeeded(context)
    }

    private func sendContinueIfNeeded(_ context: ChannelHandlerContext) {
        guard expectsContinue, pendingResponses == 1 else { return }
        expectsContinue = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
}
