import Hummingbird
import NIOCore

/// The context of a request to the window.
struct WindowContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The event loop of the connection.
    let eventLoop: any EventLoop
    /// The remote address of the connection; nil where it has none.
    let peer: SocketAddress?

    init(source: Source) {
        coreContext = .init(source: source)
        eventLoop = source.channel.eventLoop
        peer = source.channel.remoteAddress
    }

    /// The maximum size of a request body, in bytes; reports of pages are small.
    var maxUploadSize: Int { 4_096 }
}
