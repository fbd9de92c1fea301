/// The address that a window listens on.
package struct WindowConfiguration: Sendable {
    package var host: String
    /// A TCP port; 0 lets the system choose one.
    package var port: Int

    package init(host: String = "127.0.0.1", port: Int = 8080) {
        self.host = host
        self.port = port
    }
}
