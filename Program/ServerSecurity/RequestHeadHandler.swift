package import HTTPTypes
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

/// A handler that normalizes request heads, ends connections at the request of clients, and prevents pages of other sites from embedding responses.
///
/// - A target in absolute form is converted to origin form. If its authority differs from `Host`, the authority is added as a second `Host`, so
///   that `AllowedHosts` refuses the request.
/// - A request with a target in neither origin, absolute nor asterisk form loses its `Host`, for the same reason.
/// - A request with an empty `Transfer-Encoding` closes the connection as malformed: its end is undefined (RFC 9112 §6.3). One with another coding
///   than `chunked` gets 501 (RFC 9112 §6.1).
/// - A request of HTTP/1.0, or with the connection option `close` in any spelling, gets `Connection: close`, to which Hummingbird compares the
///   field. Nothing is read after it (RFC 9112 §9.6). Its other options become those of `Proxy-Connection`, for proxies.
/// - A client of HTTP/1.0 gets no interim responses (RFC 9110 §15.2), and no chunks: its response ends with the connection (RFC 9112 §6.1).
/// - A response without `Cross-Origin-Resource-Policy` gets `same-origin`.
final class RequestHeadHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Input {
        case open
        /// The last request of the connection has begun.
        case lastRequest
        /// Nothing more is read from the connection.
        case ended
    }

    private static let resourcePolicy = "Cross-Origin-Resource-Policy"

    private var input = Input.open
    /// The number of requests without a final response.
    private var pendingResponses = 0
    /// Whether the last request of the connection is of HTTP/1.0.
    private var isLastOfHTTP10 = false
    /// Whether a transfer coding was refused, to which Hummingbird responds like to any malformed request.
    private var hasRefusedCoding = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard input != .ended else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): receive(head, context)
        case .body: context.fireChannelRead(data)
        case .end:
            if input == .lastRequest { input = .ended }
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(let head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let isForHTTP10 = isLastOfHTTP10 && pendingResponses == 1
        if head.status.code >= 200 {
            context.write(wrapOutboundOut(.head(finalHead(head, isForHTTP10: isForHTTP10))), promise: promise)
        } else if isForHTTP10 {
            promise?.succeed()
        } else {
            context.write(data, promise: promise)
        }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard head.hasKnownTransferCoding else {
            input = .ended
            hasRefusedCoding = !head.hasEmptyTransferCoding
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        pendingResponses += 1
        if head.endsConnection {
            input = .lastRequest
            isLastOfHTTP10 = head.version == .http1_0
        }
        context.fireChannelRead(wrapInboundOut(.head(head.inOriginForm.withNormalizedConnection)))
    }

    private func finalHead(_ head: HTTPResponseHead, isForHTTP10: Bool) -> HTTPResponseHead {
        var head = head
        // With this version the encoder writes no chunks.
        if isForHTTP10 { head.version = .http1_0 }
        if hasRefusedCoding, pendingResponses == 0, head.status == .badRequest { head.status = .notImplemented }
        pendingResponses = max(0, pendingResponses - 1)
        if !head.headers.contains(name: Self.resourcePolicy) { head.headers.add(name: Self.resourcePolicy, value: "same-origin") }
        return head
    }
}

extension HTTPField.Name {
    /// The field in which `RequestHeadHandler` passes on the version of requests of HTTP/1.0, which the next codec drops.
    package static let requestVersion = Self("Lading-Request-Version")!
}

extension HTTPRequestHead {
    /// Whether the connection is closed after the response (RFC 9112 §9.3). HTTP/1.0 clients that reuse connections must request it; the server may
    /// decline.
    fileprivate var endsConnection: Bool { version == .http1_0 || !isKeepAlive }

    /// The head with the connection option `close` alone if it ends the connection, and with a version only if the handler has noted it.
    fileprivate var withNormalizedConnection: HTTPRequestHead {
        let versionField = HTTPField.Name.requestVersion.rawName
        guard endsConnection || headers.contains(name: versionField) else { return self }
        var head = self
        head.headers.remove(name: versionField)
        guard endsConnection else { return head }
        let others = headers[canonicalForm: "Connection"].filter { $0.lowercased() != "close" }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        if !others.isEmpty { head.headers.add(name: "Proxy-Connection", value: others.joined(separator: ", ")) }
        if version == .http1_0 { head.headers.add(name: versionField, value: "1.0") }
        return head
    }

    fileprivate var hasEmptyTransferCoding: Bool { headers["Transfer-Encoding"].contains { $0.allSatisfy(\.isWhitespace) } }

    /// Whether the body is chunked or has no transfer coding.
    fileprivate var hasKnownTransferCoding: Bool {
        guard headers.contains(name: "Transfer-Encoding") else { return true }
        let codings = headers[canonicalForm: "Transfer-Encoding"].filter { !$0.isEmpty }
        return !hasEmptyTransferCoding && codings.count == 1 && codings[0].lowercased() == "chunked"
    }

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
