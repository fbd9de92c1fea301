import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Keeps interim responses from clients that speak HTTP/1.0, which do not know them (RFC 9110 §15.2).
final class InterimResponseFilter: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Of the requests that have come and have no final head yet, whether each may have interim responses.
    private var pending: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) { pending.append((request.version.major, request.version.minor) >= (1, 1)) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code) && pending.first == false:
            promise?.succeed()
        // The end of a response to HEAD does not come this far.
        case .head(let head) where head.status.code >= 200 && !pending.isEmpty:
            pending.removeFirst()
            context.write(data, promise: promise)
        default: context.write(data, promise: promise)
        }
    }

    /// Adds the gate where the version of a request is still known.
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
