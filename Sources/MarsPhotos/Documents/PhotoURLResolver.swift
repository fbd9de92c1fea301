import Foundation
import LadingHTTP

/// Makes an address out of what a list writes: of scheme https, or http where nothing else can be expected.
enum PhotoURLResolver {
    /// The longest address that is kept, in bytes.
    static let lengthLimit = 8_192

    /// - Parameters:
    ///   - text: An address of scheme http or https, absolute or beside the list.
    ///   - document: Where the list came from. On this machine, and on a server that itself gave the list over http, http stays.
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
        guard var host = host(percentEncoded: false)?.lowercased() else { return false }
        host.removeAll { "[]".contains($0) }
        if host.hasSuffix(".") { host.removeLast() }
        return host == "localhost" || host.hasSuffix(".localhost") || IPAddress(host)?.isLoopback == true
    }

    fileprivate func hasSameServer(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && authority == other.authority
    }
}
