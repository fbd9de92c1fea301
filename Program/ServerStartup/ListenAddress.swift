package import Foundation

/// A host and a TCP port that a server listens on.
package struct ListenAddress: Hashable, Sendable {
    private static let ports = 0...Int(UInt16.max)

    /// A name or an address of this machine; `0.0.0.0` and `::` are all addresses.
    package var host: String
    /// The port number; 0 lets the system choose one.
    package var port: Int

    package init(host: String = "127.0.0.1", port: Int) {
        self.host = host
        self.port = port
    }

    /// Validates the host and the port before the server opens a socket.
    package func validate() throws(StartupError) {
        guard Self.ports.contains(port) else { throw .portOutOfRange(port, allowed: Self.ports) }
        guard url(scheme: "http", port: port) != nil else { throw .invalidHost(host) }
    }

    /// Returns the base URL for clients on this machine, with a loopback address in place of a wildcard address.
    ///
    /// - Parameters:
    ///   - boundPort: The port that the system chose; nil for `port`.
    ///   - isSecure: Whether the server uses TLS.
    /// - Precondition: The address is valid.
    package func baseURL(boundTo boundPort: Int?, isSecure: Bool = false) -> URL {
        guard let url = url(scheme: isSecure ? "https" : "http", port: boundPort ?? port) else {
            preconditionFailure("No URL has the host \(host).")
        }
        return url
    }

    private func url(scheme: String, port: Int) -> URL? {
        let host =
            switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        guard !host.isEmpty else { return nil }
        var components = URLComponents()
        components.scheme = scheme
        components.host = host.contains(":") ? "[\(host)]" : host
        components.port = port
        return components.url
    }
}

extension ListenAddress {
    /// Whether only programs on this machine can reach the server.
    package var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether a host is an IPv4 address, or an IPv6 address without brackets.
    package static func isIPAddress(_ host: String) -> Bool {
        var (v4, v6) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, host, &v4) == 1 || inet_pton(AF_INET6, host, &v6) == 1
    }

    /// Whether a host always refers to this machine: `localhost`, names below it (RFC 6761 §6.3), or a loopback address.
    ///
    /// - Parameter host: A name, an IPv4 address, or an IPv6 address without brackets.
    package static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, name, &v4) == 1 { return UInt32(bigEndian: v4.s_addr) >> 24 == 127 }
        guard inet_pton(AF_INET6, name, &v6) == 1 else { return false }
        return withUnsafeBytes(of: v6) { bytes in
            let isMapped = bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
            return isMapped ? bytes[12] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        }
    }
}
