import Foundation
import LadingHTTP

/// Adds the key to requests for documents of its service, and takes it out of whatever comes back.
///
/// It stands innermost, so that no other interceptor, no cache and no error has the key in a URL.
struct PhotoKeyInterceptor: RequestInterceptor {
    /// What a key is called in the query of a URL.
    static let name = "api_key"
    private static let secrets = QuerySecrets([name])

    let place: PhotoPlace
    let key: PhotoKey

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        guard place.holds(message.url) else { return try await next(message) }
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
