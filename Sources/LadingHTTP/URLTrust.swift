public import Foundation

/// The source of a URL, which decides the host that may have a private address, besides those of the `URLPolicy`.
public enum URLTrust: Hashable, Sendable {
    /// A URL chosen by the program or its user: its host is trusted.
    case configured
    /// A URL read in a document: the host of the document is trusted, that of the URL is not.
    case discovered(in: URL)

    /// Returns the host that may have a private address when this URL is requested.
    func trustedHost(for url: URL) -> TrustedHost? {
        switch self {
        case .configured: TrustedHost(of: url)
        case .discovered(let document): TrustedHost(of: document)
        }
    }
}
