import HTTPTypes
import Hummingbird
import NIOCore
import ServerStartup

/// The context of one request to the window.
struct WindowContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// That of the connection.
    let eventLoop: any EventLoop
    /// The other end of the connection.
    private let peer: SocketAddress?

    init(source: Source) {
        coreContext = .init(source: source)
        eventLoop = source.channel.eventLoop
        peer = source.channel.remoteAddress
    }

    /// The network of the client that sent a request; nil where the connection has no address.
    func client(of request: Request, behind proxies: TrustedProxies) -> ClientAddress? {
        guard let peer = ClientAddress(peer) else { return nil }
        let headers = request.headers
        return proxies.client(of: peer, forwarded: headers[values: .forwarded], forwardedFor: headers[values: .xForwardedFor]).network
    }

    /// Reports of pages are small.
    var maxUploadSize: Int { 4_096 }
}

extension HTTPField.Name {
    /// RFC 7239.
    fileprivate static let forwarded = Self("Forwarded")!
    fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
}
