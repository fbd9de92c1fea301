import Foundation
import HTTPTypes
import LadingHTTP
import Synchronization

/// Asks for a document at the root of its server when it is not at the usual path, and remembers where it was found.
final class RootInterceptor: RequestInterceptor {
    private let place: PhotoPlace
    private let isAtRoot = Mutex(false)

    init(_ place: PhotoPlace) {
        self.place = place
    }

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        guard let url = place.atRoot(message.url) else { return try await next(message) }
        var other = message
        other.url = url
        if isAtRoot.withLock({ $0 }) { return try await next(other) }
        let reply = try await next(message)
        guard reply.status == .notFound else { return reply }
        let found = try await next(other)
        guard found.status.kind == .successful else { return reply }
        isAtRoot.withLock { $0 = true }
        return found
    }
}
