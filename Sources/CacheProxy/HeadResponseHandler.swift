import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends replies to HEAD with their head (RFC 9112 §6.3).
///
/// The encoder does not know what was asked: a head without a length it takes for the beginning of chunks, and would send the last of them.
final class HeadResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Of the requests that have come and are not answered, whether each is HEAD.
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
