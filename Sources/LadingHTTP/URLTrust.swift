public import Foundation

/// Where a URL comes from, which decides whose private addresses it may lead to.
public enum URLTrust: Hashable, Sendable {
    /// Chosen by the program or its user: the host of the URL is trusted.
    case configured
    /// Read in a document: the host that the document came from is trusted, that of the URL is not.
    case discovered(in: URL)

    /// The one host that may lie at a private address, when this URL is asked.
    func trustedHost(for url: URL) -> TrustedHost? {
        switch self {
        case .configured: TrustedHost(of: url)
        case .discovered(let document): TrustedHost(of: document)
        }
    }
}
