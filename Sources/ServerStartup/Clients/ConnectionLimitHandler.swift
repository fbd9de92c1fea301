package import NIOCore
import Synchronization

/// How many connections each client has to a server. Trusted proxies may have any number: theirs are those of many clients.
package final class ConnectionCounts: Sendable {
    /// The most connections of one client; nil for any number.
    private let limit: Int?
    private let proxies: TrustedProxies
    private let counts = Mutex<[ClientAddress: Int]>([:])

    package init(_ limits: ClientLimits) {
        (limit, proxies) = (limits.connections, limits.proxies)
    }

    /// Counts a connection; returns whether the client may have it.
    func add(_ client: ClientAddress) -> Bool {
        counts.withLock { counts in
            let count = counts[client, default: 0]
            if let limit, count >= limit { return false }
            counts[client] = count + 1
            return true
        }
    }

    func remove(_ client: ClientAddress) {
        counts.withLock { counts in
            guard let count = counts[client] else { return }
            counts[client] = count > 1 ? count - 1 : nil
        }
    }

    /// The client at the other end of a connection; nil where its connections are not limited.
    func client(of peer: SocketAddress?) -> ClientAddress? {
        guard limit != nil else { return nil }
        return ClientAddress(peer).flatMap { proxies.contains($0) ? nil : $0.network }
    }
}

/// Closes a connection at once when its client has too many.
package final class ConnectionLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    private let counts: ConnectionCounts
    /// The client whose connection is counted.
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
