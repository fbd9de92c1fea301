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

    /// Whether the client of each request without a final response accepts interim responses; in the order of the requests.
    ///
    /// A request is removed at the head of its final response, because the end of a response to HEAD does not reach this handler.
    private var acceptsInterimResponses: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            acceptsInterimResponses.append((request.version.major, request.version.minor) >= (1, 1))
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code) && acceptsInterimResponses.first == false:
            promise?.succeed()
        case .head(let head) where head.status.code >= 200 && !acceptsInterimResponses.isEmpty:
            acceptsInterimResponses.removeFirst()
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
