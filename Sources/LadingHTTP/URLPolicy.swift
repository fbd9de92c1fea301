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
            case .privateAddress:
                "lists and redirects must not refer to a private address of another host, unless URLPolicy(trustedHosts:) has it"
            }
        }
    }

    /// The hosts that may have private addresses wherever their URLs come from.
    private let trustedHosts: Set<TrustedHost>

    /// Creates the policy.
    ///
    /// ```swift
    /// let client = BackendClient(policy: URLPolicy(trustedHosts: ["media.svc", "192.168.1.5"]))
    /// ```
    ///
    /// - Parameter trustedHosts: The names or addresses, without ports, of hosts to which lists and redirects may lead although their addresses are
    ///   private, such as a media server of the same network. A list from the Internet may then refer to them, too.
    public init(trustedHosts: Set<String> = []) {
        self.trustedHosts = Set(trustedHosts.map(TrustedHost.init(name:)))
    }

    /// Returns the violation of the policy by a URL; nil when it may be requested.
    package func violation(for url: URL) -> Violation? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return .unsupportedScheme }
        return url.authority == nil ? .missingHost : nil
    }

    /// Returns the address policy of a URL: `any` for the trusted host and those of the policy, otherwise `publicOnly`.
    func addressPolicy(for url: URL, trusting host: TrustedHost?) -> AddressPolicy {
        guard let target = TrustedHost(of: url) else { return .publicOnly }
        return target == host || trustedHosts.contains(target) ? .any : .publicOnly
    }
}

extension URL {
    /// The host and port, without a default port of the scheme; nil without a host.
    ///
    /// The host is in lower case, an international name in Punycode, and an IPv6 address in brackets.
    package var authority: String? {
        // Percent-encoded, an international name would differ from its own Punycode.
        guard let host = host(percentEncoded: false)?.lowercased(), !host.isEmpty else { return nil }
        let name = host.contains(":") ? "[\(host)]" : host
        guard let port, port != (scheme?.lowercased() == "https" ? 443 : 80) else { return name }
        return "\(name):\(port)"
    }
}
