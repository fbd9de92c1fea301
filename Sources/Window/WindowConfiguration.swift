package import ServerSecurity
package import ServerStartup

/// The address of a window, the hosts that it answers to, the files by which it proves its name, and what it grants a client.
package struct WindowConfiguration: Sendable {
    /// The most pages that one client may have open, unless told otherwise.
    package static let defaultPagesPerClient = 500

    package var address: ListenAddress
    package var allowedHosts: AllowedHosts
    /// nil for a window that does not speak TLS.
    package var tls: TLSFiles?
    /// The most pages that one client may have open.
    package var pagesPerClient: Int
    /// The most connections that one client may have, and the proxies that name clients.
    package var clients: ClientLimits

    /// - Parameter allowedHosts: nil for those that an address implies.
    package init(
        address: ListenAddress = ListenAddress(port: 8080), allowedHosts: AllowedHosts? = nil, tls: TLSFiles? = nil,
        pagesPerClient: Int = WindowConfiguration.defaultPagesPerClient, clients: ClientLimits = ClientLimits()
    ) {
        self.address = address
        self.allowedHosts = allowedHosts ?? AllowedHosts(listeningOn: address)
        self.tls = tls
        self.pagesPerClient = pagesPerClient
        self.clients = clients
    }
}
