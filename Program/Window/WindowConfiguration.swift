package import ServerSecurity
package import ServerStartup

/// The address of a window, its allowed hosts, its TLS files, and its limits.
package struct WindowConfiguration: Sendable {
    /// The default maximum number of open pages of all clients.
    package static let defaultPages = 20_000
    /// The default maximum number of open pages per client.
    package static let defaultPagesPerClient = 500

    package var address: ListenAddress
    package var allowedHosts: AllowedHosts
    /// The TLS certificate and key; nil for plain HTTP.
    package var tls: TLSFiles?
    /// The maximum number of open pages of all clients.
    package var pages: Int
    /// The maximum number of open pages per client.
    package var pagesPerClient: Int
    /// The maximum number of connections per client, and the trusted proxies.
    package var clients: ClientLimits
    /// The place among other windows that serve the same pages; nil for a single window.
    package var node: WindowNode?

    /// Creates a configuration.
    ///
    /// - Parameter allowedHosts: The allowed hosts; nil for those that the address implies.
    package init(
        address: ListenAddress = ListenAddress(port: 8080), allowedHosts: AllowedHosts? = nil, tls: TLSFiles? = nil,
        pages: Int = WindowConfiguration.defaultPages, pagesPerClient: Int = WindowConfiguration.defaultPagesPerClient,
        clients: ClientLimits = ClientLimits()
    ) {
        self.address = address
        self.allowedHosts = allowedHosts ?? AllowedHosts(listeningOn: address)
        self.tls = tls
        self.pages = pages
        self.pagesPerClient = pagesPerClient
        self.clients = clients
    }
}
