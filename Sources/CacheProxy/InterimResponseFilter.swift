import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// A channel handler that drops interim responses to HTTP/1.0 clients, which do not know them (RFC 9110 §15.2).
final class InterimResponseFilter: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether each request without a final head accepts interim responses, in order.
    private var pending: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) { pending.append((request.version.major, request.version.minor) >= (1, 1)) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code) && pending.first == false:
            promise?.succeed()
        // The end of a response to HEAD does not reach this handler.
        case .head(let head) where head.status.code >= 200 && !pending.isEmpty:
            pending.removeFirst()
            context.write(data, promise: promise)
        default: context.write(data, promise: promise)
        }
    }

    /// A handler that adds the filter after the decoder, where the version of a request is still known.
    final class Installer: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart

        func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(InterimResponseFilter(), position: .after(decoder))
            } catch {
                context.fireErrorCaught(error)
                context.close(promise: nil)
            }
        }
    }
}
