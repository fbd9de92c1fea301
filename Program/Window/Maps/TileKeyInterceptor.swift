import Foundation
import LadingHTTP

/// An interceptor that adds the constant part of a template's query, which may be a key, to requests for tiles.
///
/// It is the innermost interceptor, so that names of operations and texts of errors do not contain the key.
struct TileKeyInterceptor: RequestInterceptor {
    private let items: [URLQueryItem]
    private let secrets: QuerySecrets

    init(_ template: TileTemplate) {
        items = template.constantItems
        secrets = QuerySecrets(Set(items.map(\.name)))
    }

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        guard !items.isEmpty else { return try await next(message) }
        var complete = message
        guard var parts = URLComponents(url: message.url, resolvingAgainstBaseURL: true) else { return try await next(message) }
        parts.percentEncodedQueryItems = (parts.percentEncodedQueryItems ?? []) + items
        complete.url = parts.url ?? message.url
        do {
            // The response retains its complete URL, by which the cache evicts a response that cannot be decoded.
            return try await next(complete)
        } catch {
            throw secrets.removed(from: error)
        }
    }
}
