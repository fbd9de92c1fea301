import Foundation
import LadingHTTP

/// Adds the key to requests for documents of its service, and takes it out of whatever comes back.
///
/// It stands innermost, so that no other interceptor, no cache and no error has the key in a URL.
struct PhotoAPIKeyInterceptor: RequestInterceptor {
    /// What a key is called in the query of a URL.
    static let name = "api_key"
    private static let secrets = QuerySecrets([name])

    let location: PhotoServiceLocation
    let key: PhotoAPIKey

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        guard location.contains(message.url) else { return try await next(message) }
        var authenticated = message
        authenticated.url.append(queryItems: [URLQueryItem(name: Self.name, value: key.text)])
        do {
            var response = try await next(authenticated)
            response.url = Self.secrets.removed(from: response.url)
            return response
        } catch {
            throw Self.secrets.removed(from: error)
        }
    }
}
