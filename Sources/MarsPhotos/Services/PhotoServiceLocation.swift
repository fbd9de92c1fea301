import Foundation
import LadingHTTP

/// Where the documents of a service are: below an address, or where that may be the whole server, perhaps at its root.
struct PhotoServiceLocation: Sendable {
    /// What documents begin with; without query, fragment and a slash at the end.
    let base: URL
    /// The server, when it was named without a path, and the service may be at its root.
    let root: URL?

    /// Whether a URL is that of a document, and not of an image that lies beside it.
    func contains(_ url: URL) -> Bool { relativePath(of: url) != nil }

    /// The URL of the same document at the root; nil where it cannot be there.
    func rootURL(for url: URL) -> URL? {
        guard let root, let rest = Self.relativePath(of: url, below: base), var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else {
            return nil
        }
        parts.percentEncodedPath = root.path(percentEncoded: true) + rest
        return parts.url
    }

    private func relativePath(of url: URL) -> String? {
        Self.relativePath(of: url, below: base) ?? root.flatMap { Self.relativePath(of: url, below: $0) }
    }

    /// What stands behind the base in the path of a document.
    private static func relativePath(of url: URL, below base: URL) -> String? {
        let (path, start) = (url.path(percentEncoded: true), base.path(percentEncoded: true))
        guard path.hasPrefix(start), url.scheme?.lowercased() == base.scheme?.lowercased(), url.authority == base.authority else {
            return nil
        }
        let rest = String(path.dropFirst(start.count))
        let isDocument = ["", "/", "/rovers"].contains(rest) || rest.hasPrefix("/rovers/") || rest.hasPrefix("/manifests/")
        return isDocument ? rest : nil
    }
}
