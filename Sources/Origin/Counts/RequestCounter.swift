import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Counts the requests of one connection, and how their replies end.
///
/// It stands between HTTP and the server, where both can be seen: that the client leaves, and that the last byte of a reply was
/// handed to the system. A reply is awaited (its request came) → written (all of it is on its way out) → ended.
final class RequestCounter: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let tally: RequestTally
    /// For each reply under way in order, whether its request counts.
    private var awaited: [Bool] = []
    /// How many replies that count have been written, not yet to their end.
    private var written = 0

    init(_ tally: RequestTally) {
        self.tally = tally
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) { awaited.append(isCounted(request)) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), !awaited.isEmpty, awaited.removeFirst() else {
            return context.write(data, promise: promise)
        }
        written += 1
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenSuccess { self.completed() }
        context.write(data, promise: promise)
    }

    /// A client that ends its side alone is taken for gone, as the server does.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { cutOff() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        cutOff()
        context.fireChannelInactive()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input { end(&awaited, as: .hungUp) }
        context.close(mode: mode, promise: promise)
    }
}

// MARK: - Counting

extension RequestCounter {
    private func isCounted(_ request: HTTPRequest) -> Bool {
        guard let path = request.path?.prefix(while: { $0 != "?" }) else { return false }
        if request.method == .get, let document = OrderPath(path: path) {
            tally.change { $0.count(requestFor: document) }
            return true
        }
        if request.method == .get, let document = PhotoPath(path: path) {
            tally.change { $0.count(requestFor: document) }
            return true
        }
        guard let document = DeliveryPath(path: path), document.methods.contains(request.method) else { return false }
        tally.change { $0.count(requestFor: document) }
        return true
    }

    private func completed() {
        guard written > 0 else { return }
        written -= 1
        tally.change { $0.count(.completed) }
    }

    private func cutOff() {
        end(&awaited, as: .cutOff)
        for _ in 0..<written { tally.change { $0.count(.cutOff) } }
        written = 0
    }

    private func end(_ replies: inout [Bool], as ending: RequestCounts.Ending) {
        for index in replies.indices where replies[index] {
            tally.change { $0.count(ending) }
            replies[index] = false
        }
    }
}
