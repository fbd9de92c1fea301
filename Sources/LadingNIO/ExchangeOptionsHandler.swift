import HTTPTypes
import NIOCore
import NIOHTTP1

/// A handler that applies the options of exchanges on a connection: it reports interim responses, and sets the request target.
///
/// It is placed between the codec and the handler of AsyncHTTPClient, which performs one exchange at a time and drops interim responses. 100 and
/// 101 concern the connection and are not reported.
final class ExchangeOptionsHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let registry: ExchangeRegistry
    private var observer: ExchangeRegistry.Observer?

    init(_ registry: ExchangeRegistry) {
        self.registry = registry
    }

    /// Adds a handler to a connection that AsyncHTTPClient has initialized.
    static func install(in channel: any Channel, _ registry: ExchangeRegistry) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(ExchangeOptionsHandler(registry), position: .after(decoder))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let name = ExchangeRegistry.numberField.rawName
        let options = head.headers.first(name: name).flatMap { registry.options(of: $0) }
        observer = options?.observer
        if let target = options?.target { head.uri = target }
        head.headers.remove(name: name)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            if (102..<200).contains(head.status.code) { observer?(head) } else if head.status.code >= 200 { observer = nil }
        }
        context.fireChannelRead(data)
    }
}
