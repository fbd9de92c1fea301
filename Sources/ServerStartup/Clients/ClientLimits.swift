/// The connections that one client may have to a server, and the proxies that name clients.
package struct ClientLimits: Sendable {
    /// The most connections of one client, unless told otherwise.
    package static let defaultConnections = 1_000

    /// The most connections of one client: one address, or one /64 of version 6; nil for any number. Trusted proxies may have any number.
    package var connections: Int?
    /// The proxies that are believed when they name the client of a request.
    package var proxies: TrustedProxies

    package init(connections: Int? = ClientLimits.defaultConnections, proxies: TrustedProxies = TrustedProxies()) {
        self.connections = connections
        self.proxies = proxies
    }
}
