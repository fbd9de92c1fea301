import Hummingbird
import NIOCore

/// The context of one request to the window.
struct WindowContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// That of the connection.
    let eventLoop: any EventLoop
    /// The other end of the connection; nil where it has no address.
    let peer: SocketAddress?

    init(source: Source) {
        coreContext = .init(source: source)
        eventLoop = source.channel.eventLoop
        peer = source.channel.remoteAddress
    }

    /// Reports of pages are small.
    var maxUploadSize: Int { 4_096 }
}
