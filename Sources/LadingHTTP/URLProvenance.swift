public import Foundation

/// Where a URL comes from, which decides whose private addresses it may lead to.
public enum URLProvenance: Hashable, Sendable {
    /// Chosen by the program or its user: the host of the URL is trusted.
    case own
    /// Read in a document: the host that the document came from is trusted, that of the URL is not.
    case named(by: URL)

    /// The one host that may lie at a private address, when this URL is asked.
    func trustedHost(asking url: URL) -> TrustedHost? {
        switch self {
        case .own: TrustedHost(of: url)
        case .named(let document): TrustedHost(of: document)
        }
    }
}
