import Foundation
import HTTPTypes
import LadingHTTP
import Synchronization

/// An interceptor that requests a document at the root of its server when the usual path answers 404, and remembers where it was found.
final class RootFallbackInterceptor: RequestInterceptor {
    private let location: PhotoServiceLocation
    private let isAtRoot = Mutex(false)

    init(_ location: PhotoServiceLocation) {
        self.location = location
    }

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        guard let url = location.rootURL(for: message.url) else { return try await next(message) }
        var other = message
        other.url = url
        if isAtRoot.withLock({ $0 }) { return try await next(other) }
        let response = try await next(message)
        guard response.status == .notFound else { return response }
        let found = try await next(other)
        // A website may answer unknown paths with a page.
        guard found.status.kind == .successful, !PhotoDocument.isWebPage(found.body) else { return response }
        isAtRoot.withLock { $0 = true }
        return found
    }
}
