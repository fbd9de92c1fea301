/// The connection limit per client, and the trusted proxies.
package struct ClientLimits: Sendable {
    /// The default maximum number of connections per client.
    package static let defaultConnections = 1_000

    /// The maximum number of connections per client (one IPv4 address or one IPv6 /64); nil for no limit. Trusted proxies are not limited.
    package var connections: Int?
    /// The proxies that the server trusts to name the client of a request.
    package var proxies: TrustedProxies

    package init(connections: Int? = ClientLimits.defaultConnections, proxies: TrustedProxies = TrustedProxies()) {
        self.connections = connections
        self.proxies = proxies
    }
}
