package import NIOCore

/// The number of open connections per client. Trusted proxies, which carry the connections of many clients, are not counted.
package final class ConnectionCounts: Sendable {
    /// The counts of clients; nil for no limit.
    private let counts: ClientCounts<ClientAddress>?
    private let proxies: TrustedProxies

    package init(_ limits: ClientLimits) {
        counts = limits.connections.map { ClientCounts(limit: $0) }
        proxies = limits.proxies
    }

    /// Counts a connection; returns false when the client has reached the limit.
    func add(_ client: ClientAddress) -> Bool { counts?.add(client) ?? true }

    func remove(_ client: ClientAddress) { counts?.remove(client) }

    /// Returns the client of a connection; nil when its connections are not limited.
    func client(of peer: SocketAddress?) -> ClientAddress? {
        guard counts != nil else { return nil }
        return ClientAddress(peer).flatMap { proxies.contains($0) ? nil : $0.network }
    }
}

/// A channel handler that closes a new connection when its client has reached the limit.
package final class ConnectionLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    private let counts: ConnectionCounts
    /// The client of the counted connection.
    private var client: ClientAddress?

    package init(_ counts: ConnectionCounts) {
        self.counts = counts
    }

    package func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        guard let client = counts.client(of: context.remoteAddress) else { return }
        guard counts.add(client) else { return context.close(promise: nil) }
        self.client = client
    }

    package func channelInactive(context: ChannelHandlerContext) {
        if let client { counts.remove(client) }
        client = nil
        context.fireChannelInactive()
    }
}
