public import Foundation

/// Decides which URLs may be asked, and how far they may lead; a URL may come from a server, and a server is not trusted.
public struct URLPolicy: Sendable {
    /// What is wrong with a URL.
    public enum Objection: Error, Hashable, CustomStringConvertible {
        /// Its scheme is neither http nor https.
        case scheme
        /// It names no host.
        case host
        /// It leads to an address that is not public, and came from elsewhere.
        case privateAddress

        public var description: String {
            switch self {
            case .scheme: "only http and https addresses are opened"
            case .host: "the address names no host"
            case .privateAddress: "neither a list nor a redirect may lead to a private address of another host"
            }
        }
    }

    public init() {}

    /// What speaks against asking this URL; nil when nothing does.
    public func objection(to url: URL) -> Objection? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return .scheme }
        guard let host = url.host(), !host.isEmpty else { return .host }
        return nil
    }

    /// Which addresses asking this URL may lead to: any when it names the trusted host, otherwise public ones.
    func reach(of url: URL, trusting host: TrustedHost?) -> AddressReach {
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
