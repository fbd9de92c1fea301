import Hummingbird
import NIOCore

/// The context of one request to the origin.
struct OriginContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection; nil where it has no address.
    let peer: SocketAddress?

    init(source: Source) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
    }
}
