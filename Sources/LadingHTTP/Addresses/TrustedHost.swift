import Foundation

/// The host of a URL for comparisons of trust: in lower case, without a trailing dot, and with one name for all loopback addresses.
struct TrustedHost: Hashable {
    private static let loopbackName = "localhost"

    let name: String

    init?(of url: URL) {
        guard let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty else { return nil }
        let name = host.last == "." ? String(host.dropLast()) : host
        self.name = IPAddress(name)?.isLoopback == true ? Self.loopbackName : name
    }
}
