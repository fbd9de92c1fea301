import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A channel handler that ends responses to HEAD after their head (RFC 9112 §6.3).
///
/// The encoder does not know the method of the request: after a head without a length it would write the last chunk of a chunked body.
final class HeadResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Whether each pending request is HEAD, in order.
    private var pending: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) { pending.append(request.method == .head) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: return context.write(data, promise: promise)
        case .body:
            guard pending.first == true else { return context.write(data, promise: promise) }
        case .end:
            guard !pending.isEmpty, pending.removeFirst() else { return context.write(data, promise: promise) }
        }
        promise?.succeed()
    }
}
