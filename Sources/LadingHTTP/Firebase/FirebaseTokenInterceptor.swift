import Foundation
import HTTPTypes

/// Adds the ID token of whoever is signed in to requests to one service, and asks again with another when it was refused.
///
/// It stands innermost, so that no other interceptor and no error has the token in a URL.
struct FirebaseTokenInterceptor: TokenInterceptor {
    /// Where a service wants the token.
    enum TokenLocation {
        /// As the query parameter `auth`.
        case queryParameter
        /// As `Authorization: Firebase …`.
        case header
    }

    let authentication: FirebaseAuthentication
    let service: BackendEnvironment
    let location: TokenLocation
    /// Whether a refusal is about the token, and not about what its user may do.
    let isTokenRejection: @Sendable (BackendResponse) -> Bool

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        try await intercept(message, next: next) { _, obstacle in throw obstacle }
    }

    func intercept(_ message: RequestMessage, next: Exchange, fallback: CacheFallback) async throws -> BackendResponse {
        let known: String?
        do {
            known = try await self.token(for: message)
        } catch {
            return try await cachedResponse(to: message, orThrow: error, cause: error, fallback: fallback)
        }
        guard let token = known else { return try await next(message) }
        let reply = try await send(message, token, next)
        guard isTokenRejection(reply), reply.url.origin == service.baseURL.origin,
            let other = try await self.token(for: message, replacing: token)
        else { return reply }
        return try await send(message, other, next)
    }

    func withCachedToken(_ message: RequestMessage) -> RequestMessage? {
        guard needsToken(message), authentication.credential != nil else { return message }
        return authentication.cachedToken.map { adding($0, to: message) }
    }

    private func needsToken(_ message: RequestMessage) -> Bool {
        message.url.origin == service.baseURL.origin && message.headers[.authorization] == nil
    }

    /// The token for a message; nil when it should have none.
    func token(for message: RequestMessage, replacing refused: String? = nil) async throws -> String? {
        guard needsToken(message) else { return nil }
        return try await authentication.tokenIfSignedIn(replacing: refused)
    }

    /// The message with the token. Caches keep URLs, so that what has it there is for none of them.
    func adding(_ token: String, to message: RequestMessage) -> RequestMessage {
        var message = message
        switch location {
        case .queryParameter:
            message.url.append(queryItems: [URLQueryItem(name: FirebaseSecrets.tokenParameter, value: token)])
            message.headers[.cacheControl] = "no-store"
        case .header: message.headers[.authorization] = "Firebase \(token)"
        }
        return message
    }

    private func send(_ message: RequestMessage, _ token: String, _ next: Exchange) async throws -> BackendResponse {
        do {
            var reply = try await next(adding(token, to: message))
            reply.url = FirebaseSecrets.removed(from: reply.url)
            return reply
        } catch {
            throw FirebaseSecrets.removed(from: error)
        }
    }
}
