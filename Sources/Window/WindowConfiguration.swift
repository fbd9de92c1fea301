package import ServerStartup

/// Where a window listens, and by which files it proves its name.
package struct WindowConfiguration: Sendable {
    package var address: ListenAddress
    /// nil for a window that does not speak TLS.
    package var tls: TLSFiles?

    package init(address: ListenAddress = ListenAddress(port: 8080), tls: TLSFiles? = nil) {
        self.address = address
        self.tls = tls
    }
}
