package import NIOCore
import NIOHTTP1

/// A handler that installs a `RequestHeadHandler` on the connection of an HTTP/1.1 server.
package final class RequestHeadInstaller: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            // Directly after the decoder: the next codec drops the authority of an absolute target.
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestHeadHandler(), position: .after(decoder))
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }
}

/// A handler that normalizes request heads and prevents pages of other sites from embedding responses.
///
/// - A target in absolute form is converted to origin form. If its authority differs from `Host`, the authority is added as a second `Host`, so
///   that `AllowedHosts` refuses the request.
/// - A request with a target in neither origin, absolute nor asterisk form loses its `Host`, for the same reason.
/// - A request with an empty `Transfer-Encoding` closes the connection as malformed: its end is undefined (RFC 9112 §6.3).
/// - A response without `Cross-Origin-Resource-Policy` gets `same-origin`.
final class RequestHeadHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let resourcePolicy = "Cross-Origin-Resource-Policy"

    /// Whether a malformed request was received, after which nothing more is read from the connection.
    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        guard !head.headers["Transfer-Encoding"].contains(where: { $0.allSatisfy(\.isWhitespace) }) else {
            isRefused = true
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        context.fireChannelRead(wrapInboundOut(.head(head.inOriginForm)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status.code >= 200, !head.headers.contains(name: Self.resourcePolicy)
        else {
            return context.write(data, promise: promise)
        }
        head.headers.add(name: Self.resourcePolicy, value: "same-origin")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}

extension HTTPRequestHead {
    /// The head with a target in origin form or asterisk form (RFC 9112 §3.2); without a `Host` if the target has neither of them nor a scheme.
    fileprivate var inOriginForm: HTTPRequestHead {
        guard !uri.hasPrefix("/"), uri != "*" else { return self }
        var head = self
        guard let scheme = ["http://", "https://"].first(where: { uri.prefix($0.count).lowercased() == $0 }) else {
            head.headers.remove(name: "Host")
            return head
        }
        let target = uri.dropFirst(scheme.count)
        let authority = target.prefix { !"/?#".contains($0) }
        let path = target[authority.endIndex...]
        head.uri = path.hasPrefix("/") ? String(path) : "/\(path)"
        let hosts = headers["Host"]
        if !hosts.isEmpty, !hosts.contains(where: { $0.lowercased() == authority.lowercased() }) {
            head.headers.add(name: "Host", value: String(authority))
        }
        return head
    }
}
