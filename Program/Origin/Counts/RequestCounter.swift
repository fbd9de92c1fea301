import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A handler that counts the requests of one connection and the outcomes of their responses.
///
/// It sits between the HTTP codec and the server, where it sees both the client's disconnect and the write of a response's last byte.
/// A response is pending (its request has arrived) → written (handed to the channel) → ended.
final class RequestCounter: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let metrics: RequestMetrics
    /// For each pending response in order, whether its request is counted.
    private var pendingResponses: [Bool] = []
    /// The number of counted responses that are written, but not yet flushed to the system.
    private var writtenResponses = 0

    init(_ metrics: RequestMetrics) {
        self.metrics = metrics
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) { pendingResponses.append(isCounted(request)) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), !pendingResponses.isEmpty, pendingResponses.removeFirst() else {
            return context.write(data, promise: promise)
        }
        writtenResponses += 1
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenSuccess { self.responseCompleted() }
        context.write(data, promise: promise)
    }

    /// Treats a client that half-closes its side as disconnected, as the server does.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { clientClosed() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        clientClosed()
        context.fireChannelInactive()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input { finish(&pendingResponses, as: .serverClosed) }
        context.close(mode: mode, promise: promise)
    }
}

// MARK: - Counting

extension RequestCounter {
    private func isCounted(_ request: HTTPRequest) -> Bool {
        guard let path = request.path?.prefix(while: { $0 != "?" }) else { return false }
        if request.method == .get, let document = OrderPath(path: path) {
            metrics.change { $0.count(requestFor: document) }
            return true
        }
        if request.method == .get, let document = PhotoPath(path: path) {
            metrics.change { $0.count(requestFor: document) }
            return true
        }
        guard let document = DeliveryPath(path: path), document.methods.contains(request.method) else { return false }
        metrics.change { $0.count(requestFor: document) }
        return true
    }

    private func responseCompleted() {
        guard writtenResponses > 0 else { return }
        writtenResponses -= 1
        metrics.change { $0.count(.completed) }
    }

    private func clientClosed() {
        finish(&pendingResponses, as: .clientClosed)
        for _ in 0..<writtenResponses { metrics.change { $0.count(.clientClosed) } }
        writtenResponses = 0
    }

    private func finish(_ responses: inout [Bool], as outcome: RequestCounts.Outcome) {
        for index in responses.indices where responses[index] {
            metrics.change { $0.count(outcome) }
            responses[index] = false
        }
    }
}
