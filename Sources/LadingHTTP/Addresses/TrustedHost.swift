import Foundation

/// The host of a URL for comparisons of trust: in lower case, without a trailing dot, and with one name for all loopback addresses.
struct TrustedHost: Hashable {
    private static let loopbackName = "localhost"

    let name: String

    init?(of url: URL) {
        guard let host = url.host(percentEncoded: false), !host.isEmpty else { return nil }
        self.init(name: host)
    }

    /// Creates a host from its name or address, without brackets.
    init(name: String) {
        let host = name.lowercased()
        let name = host.last == "." ? String(host.dropLast()) : host
        self.name = IPAddress(name)?.isLoopback == true ? Self.loopbackName : name
    }
}
