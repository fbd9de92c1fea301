import Foundation
import LadingHTTP

/// Adds the key to requests for documents of its service, and takes it out of whatever comes back.
///
/// It stands innermost, so that no other interceptor, no cache and no error has the key in a URL.
struct PhotoKeyInterceptor: RequestInterceptor {
    /// What a key is called in the query of a URL.
    static let name = "api_key"
    private static let secrets = QuerySecrets([name])

    let base: URL
    let key: PhotoKey

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        guard message.url.isBelow(base) else { return try await next(message) }
        var bearing = message
        bearing.url.append(queryItems: [URLQueryItem(name: Self.name, value: key.text)])
        do {
            var reply = try await next(bearing)
            reply.url = Self.secrets.removed(from: reply.url)
            return reply
        } catch {
            throw Self.secrets.removed(from: error)
        }
    }
}

extension URL {
    /// Whether it names a document of the service at another URL.
    func isBelow(_ base: URL) -> Bool {
        let (path, start) = (path(percentEncoded: true), base.path(percentEncoded: true))
        let isInside = path == start || path.hasPrefix(start.hasSuffix("/") ? start : start + "/")
        return isInside && scheme?.lowercased() == base.scheme?.lowercased() && authority == base.authority
    }
}
