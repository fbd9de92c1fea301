import Foundation
import LadingHTTP

/// A resolver of image URLs in lists, which upgrades http to https where possible.
enum PhotoURLResolver {
    /// The maximum length of a URL, in bytes.
    static let lengthLimit = 8_192

    /// Returns the absolute URL of a photo, upgraded to https; nil for an invalid or refused URL.
    ///
    /// - Parameters:
    ///   - text: An http or https URL, absolute or relative to the list.
    ///   - document: The URL of the list. Loopback URLs, and those on a server that sent the list over http, are not upgraded.
    static func url(_ text: String?, relativeTo document: URL) -> URL? {
        guard let text, text.utf8.count <= lengthLimit, let url = URL(string: text, relativeTo: document)?.absoluteURL,
            URLPolicy().violation(for: url) == nil
        else { return nil }
        guard url.scheme?.lowercased() == "http", !url.isLoopback, !url.hasSameServer(as: document) else { return url }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.scheme = "https"
        if parts?.port == 80 { parts?.port = nil }
        return parts?.url
    }
}

extension URL {
    fileprivate var isLoopback: Bool {
        var host = host(percentEncoded: false)?.lowercased() ?? ""
        host.removeAll { "[]".contains($0) }
        if host.hasSuffix(".") { host.removeLast() }
        return host == "localhost" || host.hasSuffix(".localhost") || IPAddress(host)?.isLoopback == true
    }

    fileprivate func hasSameServer(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && authority == other.authority
    }
}
