import Hummingbird
import NIOCore

/// The context of one request to the window.
struct WindowContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// That of the connection.
    let eventLoop: any EventLoop

    init(source: Source) {
        coreContext = .init(source: source)
        eventLoop = source.channel.eventLoop
    }

    /// Reports of pages are small.
    var maxUploadSize: Int { 4_096 }
}
