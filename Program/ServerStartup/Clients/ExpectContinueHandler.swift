import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// A handler that sends `100 Continue` to a client that waits for it before it sends its content (RFC 9110 §10.1.1).
///
/// With pipelined requests the 100 is sent after the previous response has ended, which the handler must observe. `RequestHeadHandler` drops the 100
/// for clients of HTTP/1.0.
package final class ExpectContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// The number of requests without a complete response.
    private var pendingResponses = 0
    /// Whether the client waits with the content of the last request.
    private var expectsContinue = false

    package init() {}

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            pendingResponses += 1
            expectsContinue = request.headerFields[.expect]?.lowercased() == "100-continue"
            sendContinueIfNeeded(context)
        }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
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
