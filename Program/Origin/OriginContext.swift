import Hummingbird
import NIOCore
import OrderAPI

/// The context of one request to the origin.
struct OriginContext: OrderAPIContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the client; nil when the connection has none.
    let peer: SocketAddress?
    let eventLoop: any EventLoop

    init(source: Source) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
        eventLoop = source.channel.eventLoop
    }
}
