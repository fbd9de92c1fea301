public import Foundation

/// Decides which URLs may be asked, and how far they may lead; a URL may come from a server, and a server is not trusted.
public struct URLPolicy: Sendable {
    /// What is wrong with a URL.
    public enum Violation: Error, Hashable, CustomStringConvertible {
        /// Its scheme is neither http nor https.
        case unsupportedScheme
        /// It names no host.
        case missingHost
        /// It leads to an address that is not public, and came from elsewhere.
        case privateAddress

        public var description: String {
            switch self {
            case .unsupportedScheme: "only http and https addresses are opened"
            case .missingHost: "the address names no host"
            case .privateAddress: "neither a list nor a redirect may lead to a private address of another host"
            }
        }
    }

    public init() {}

    /// What speaks against asking this URL; nil when nothing does.
    public func violation(for url: URL) -> Violation? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return .unsupportedScheme }
        guard let host = url.host(), !host.isEmpty else { return .missingHost }
        return nil
    }

    /// Which addresses asking this URL may lead to: any when it names the trusted host, otherwise public ones.
    func addressPolicy(for url: URL, trusting host: TrustedHost?) -> AddressPolicy {
        host != nil && TrustedHost(of: url) == host ? .any : .publicOnly
    }
}

extension URL {
    /// Host and port, the port left out when the scheme implies it; nil without a host.
    package var authority: String? {
        guard let host = host(percentEncoded: true), !host.isEmpty else { return nil }
        guard let port, port != (scheme?.lowercased() == "https" ? 443 : 80) else { return host.lowercased() }
        return "\(host.lowercased()):\(port)"
    }
}
