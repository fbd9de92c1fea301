public import Foundation

/// The rules for URLs to request and the addresses they may lead to. A URL may come from a server, which is not trusted.
public struct URLPolicy: Sendable {
    /// A violation of the policy by a URL.
    public enum Violation: Error, Hashable, LocalizedError, CustomStringConvertible {
        /// The scheme is neither http nor https.
        case unsupportedScheme
        /// The URL has no host.
        case missingHost
        /// The URL leads to a private address of a host that is not trusted.
        case privateAddress

        public var errorDescription: String? { description }

        public var description: String {
            switch self {
            case .unsupportedScheme: "the URL must be an http or https URL"
            case .missingHost: "the URL has no host"
            case .privateAddress: "lists and redirects must not refer to a private address of another host"
            }
        }
    }

    public init() {}

    /// Returns the violation of the policy by a URL; nil when it may be requested.
    package func violation(for url: URL) -> Violation? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return .unsupportedScheme }
        guard let host = url.host(), !host.isEmpty else { return .missingHost }
        return nil
    }

    /// Returns the address policy of a URL: `any` for the trusted host, otherwise `publicOnly`.
    func addressPolicy(for url: URL, trusting host: TrustedHost?) -> AddressPolicy {
        host != nil && TrustedHost(of: url) == host ? .any : .publicOnly
    }
}

extension URL {
    /// The host and port, without a default port of the scheme; nil without a host.
    package var authority: String? {
        guard let host = host(percentEncoded: true), !host.isEmpty else { return nil }
        guard let port, port != (scheme?.lowercased() == "https" ? 443 : 80) else { return host.lowercased() }
        return "\(host.lowercased()):\(port)"
    }
}
