import Foundation
import LadingHTTP

/// The URLs of a service's documents: below a base, or also at the root of its server.
struct PhotoServiceLocation: Sendable {
    /// The common prefix of documents; without query, fragment and trailing slash.
    let base: URL
    /// The server, when its URL had no path and the service may be at its root.
    let root: URL?

    /// Whether a URL is that of a document, as opposed to an image on the same server.
    func contains(_ url: URL) -> Bool { relativePath(of: url) != nil }

    /// Returns the URL of the same document at the root; nil when the service cannot be there.
    func rootURL(for url: URL) -> URL? {
        guard let root, let rest = Self.relativePath(of: url, below: base),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else {
            return nil
        }
        parts.percentEncodedPath = root.path(percentEncoded: true) + rest
        return parts.url
    }

    private func relativePath(of url: URL) -> String? {
        Self.relativePath(of: url, below: base) ?? root.flatMap { Self.relativePath(of: url, below: $0) }
    }

    /// Returns the path of a document relative to a base; nil when the URL is not a document.
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
