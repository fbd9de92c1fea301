import Foundation
import HTTPTypes

/// Adds the ID token of whoever is signed in to requests to one service, and asks again with another when it was refused.
///
/// It stands innermost, so that no other interceptor and no error has the token in a URL.
struct FirebaseTokenInterceptor: TokenInterceptor {
    /// Where a service wants the token.
    enum Place {
        /// As the query parameter `auth`.
        case query
        /// As `Authorization: Firebase …`.
        case field
    }

    let authentication: FirebaseAuthentication
    let service: BackendEnvironment
    let place: Place
    /// Whether a refusal is about the token, and not about what its user may do.
    let isAboutToken: @Sendable (BackendReply) -> Bool

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        try await intercept(message, next: next) { _, obstacle in throw obstacle }
    }

    func intercept(_ message: RequestMessage, next: Exchange, kept: Kept) async throws -> BackendReply {
        let known: String?
        do {
            known = try await self.token(for: message)
        } catch {
            return try await keptReply(to: message, insteadOf: error, because: error, kept: kept)
        }
        guard let token = known else { return try await next(message) }
        let reply = try await ask(message, token, next)
        guard isAboutToken(reply), reply.url.server == service.baseURL.server,
            let other = try await self.token(for: message, insteadOf: token)
        else { return reply }
        return try await ask(message, other, next)
    }

    func withKnownToken(_ message: RequestMessage) -> RequestMessage? {
        guard wantsToken(message), authentication.credential != nil else { return message }
        return authentication.knownToken.map { bearing($0, message) }
    }

    private func wantsToken(_ message: RequestMessage) -> Bool {
        message.url.server == service.baseURL.server && message.headers[.authorization] == nil
    }

    /// The token for a message; nil when it should have none.
    func token(for message: RequestMessage, insteadOf refused: String? = nil) async throws -> String? {
        guard wantsToken(message) else { return nil }
        return try await authentication.tokenIfSignedIn(insteadOf: refused)
    }

    /// The message with the token. Caches keep URLs, so that what has it there is for none of them.
    func bearing(_ token: String, _ message: RequestMessage) -> RequestMessage {
        var message = message
        switch place {
        case .query:
            message.url.append(queryItems: [URLQueryItem(name: FirebaseSecrets.token, value: token)])
            message.headers[.cacheControl] = "no-store"
        case .field: message.headers[.authorization] = "Firebase \(token)"
        }
        return message
    }

    private func ask(_ message: RequestMessage, _ token: String, _ next: Exchange) async throws -> BackendReply {
        do {
            var reply = try await next(bearing(token, message))
            reply.url = FirebaseSecrets.removed(from: reply.url)
            return reply
        } catch {
            throw FirebaseSecrets.removed(from: error)
        }
    }
}
