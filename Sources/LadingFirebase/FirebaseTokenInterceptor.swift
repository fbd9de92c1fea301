import Foundation
import HTTPTypes
import LadingHTTP

/// An interceptor that adds the user's ID token to requests to one service. After a rejection it retries with another token.
///
/// It is the innermost interceptor, so that no other interceptor and no error has the token in a URL.
struct FirebaseTokenInterceptor: TokenInterceptor {
    /// The location of the token in a request.
    enum TokenLocation {
        /// The query parameter `auth`.
        case queryParameter
        /// The header field `Authorization: Firebase …`.
        case header
    }

    let authentication: FirebaseAuthentication
    let service: BackendEnvironment
    let location: TokenLocation
    /// Whether a rejection concerns the token rather than the permissions of its user.
    let isTokenRejection: @Sendable (BackendResponse) -> Bool

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        try await intercept(message, next: next) { _, error in throw error }
    }

    func intercept(_ message: RequestMessage, next: Exchange, fallback: CacheFallback) async throws -> BackendResponse {
        let known: String?
        do {
            known = try await self.token(for: message)
        } catch {
            return try await cachedResponse(to: message, orThrow: error, cause: error, fallback: fallback)
        }
        guard let token = known else { return try await next(message) }
        let response = try await send(message, token, next)
        guard isTokenRejection(response), response.url.origin == service.baseURL.origin,
            let other = try await self.token(for: message, replacing: token)
        else { return response }
        return try await send(message, other, next)
    }

    func withCachedToken(_ message: RequestMessage) -> RequestMessage? {
        guard needsToken(message), authentication.credential != nil else { return message }
        return authentication.cachedToken.map { adding($0, to: message) }
    }

    func needsToken(_ message: RequestMessage) -> Bool {
        message.url.origin == service.baseURL.origin && message.headers[.authorization] == nil
    }

    /// Returns the token for a message; nil when the message needs none or no user is signed in.
    func token(for message: RequestMessage, replacing refused: String? = nil) async throws -> String? {
        guard needsToken(message) else { return nil }
        return try await authentication.tokenIfSignedIn(replacing: refused)
    }

    /// Returns an interceptor that adds this token to messages that need one, and never another.
    func interceptor(adding token: String) -> any RequestInterceptor { FixedTokenInterceptor(tokens: self, token: token) }

    /// Returns the message with the token. A URL with a token must not be cached, as caches store URLs.
    func adding(_ token: String, to message: RequestMessage) -> RequestMessage {
        var message = message
        switch location {
        case .queryParameter:
            message.url = message.url.appending(query: [FirebaseSecrets.tokenParameter: .init(token)])
            message.headers[.cacheControl] = "no-store"
        case .header: message.headers[.authorization] = "Firebase \(token)"
        }
        return message
    }

    fileprivate func send(_ message: RequestMessage, _ token: String, _ next: Exchange) async throws -> BackendResponse {
        do {
            var response = try await next(adding(token, to: message))
            response.url = FirebaseSecrets.removed(from: response.url)
            return response
        } catch {
            throw FirebaseSecrets.removed(from: error)
        }
    }
}

private struct FixedTokenInterceptor: RequestInterceptor {
    let tokens: FirebaseTokenInterceptor
    let token: String

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        guard tokens.needsToken(message) else { return try await next(message) }
        return try await tokens.send(message, token, next)
    }
}
