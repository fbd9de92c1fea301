import Foundation
import LadingHTTP

/// An interceptor that adds the API key to requests for documents of its service, and removes it from responses and errors.
///
/// It is the innermost interceptor, so that no other interceptor, cache or error sees the key in a URL.
struct PhotoAPIKeyInterceptor: RequestInterceptor {
    /// The query parameter of the key.
    static let name = "api_key"
    private static let secrets = QuerySecrets([name])

    let location: PhotoServiceLocation
    let key: PhotoAPIKey

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        guard location.contains(message.url) else { return try await next(message) }
        var authenticated = message
        authenticated.url = message.url.appending(query: [Self.name: .init(key.text)])
        do {
            var response = try await next(authenticated)
            response.url = Self.secrets.removed(from: response.url)
            return response
        } catch {
            throw Self.secrets.removed(from: error)
        }
    }
}
