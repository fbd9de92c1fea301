import ErrorDescriptions
public import Foundation
import HTTPTypes

/// An interceptor that adds a bearer token (RFC 6750) to requests to its own servers, and fetches another after a 401.
///
/// ```swift
/// let token = BearerTokenInterceptor(for: [backend.baseURL], token: stored) { old in try await signIn() }
/// let client = BackendClient(executor: executor, interceptors: [token])
/// ```
///
/// All requests that need a new token share one fetch; a request that was rejected with an older token uses the newer one. Each request is repeated
/// once. A request with its own `Authorization` field, or to any other server, is not changed.
///
/// When no token can be fetched because the token server is unreachable (the closure throws such a `BackendError`), the client's cache responds as if
/// the server itself were unreachable.
///
/// A fetch is completed even without waiters, because the old token may have become invalid by then. The closure limits its duration: a request that
/// waits for it is not interrupted at the end of its own time limit (`ResponseLimits.time`), and fails with `BackendError.timedOut` after the fetch.
public final class BearerTokenInterceptor: RequestInterceptor {
    /// The error of a failed token fetch.
    public struct Failure: LocalizedError, CustomStringConvertible {
        /// The error of the fetch closure.
        public let cause: any Error

        public var errorDescription: String? { description }

        public var description: String { "cannot sign in".appending(cause: cause).redactingSecrets }
    }

    private let allowedOrigins: Set<String>
    private let source: TokenSource

    /// Creates an interceptor with a source of tokens.
    ///
    /// - Parameters:
    ///   - servers: The URLs of the servers that may receive the token: scheme, host and port count.
    ///   - token: The initial token; without one the first request fetches it.
    ///   - fetch: Returns a new token in place of the old one, if any. It must not send requests through this interceptor.
    public init(
        for servers: [URL], token: String? = nil, fetch: nonisolated(nonsending) @escaping @Sendable (_ old: String?) async throws -> String
    ) {
        self.allowedOrigins = Set(servers.compactMap(\.origin))
        source = TokenSource(token) { old in
            do { return try await fetch(old) } catch { throw Failure(cause: error) }
        }
    }

    /// Replaces the token, when another user signs in, or removes it with nil, when the user signs out.
    ///
    /// All later requests use the new token; without one the next request fetches it. The result of a fetch in progress is ignored, and the requests
    /// that wait for it use the new token or wait for another fetch. Requests of the former user that wait, or are rejected later, are sent with the
    /// new token too: cancel them first.
    public func setToken(_ token: String?) { source.setToken(token) }

    /// Adds a token to the request; fetches a new one when the server rejects it.
    ///
    /// - Throws: `Failure` when no token could be fetched, and errors of the exchange.
    public nonisolated(nonsending) func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        try await intercept(message, next: next) { _, tokenError in throw tokenError }
    }

    private func isAllowedOrigin(_ url: URL) -> Bool { url.origin.map(allowedOrigins.contains) ?? false }

    private func needsToken(_ message: RequestMessage) -> Bool { isAllowedOrigin(message.url) && message.headers[.authorization] == nil }
}

extension BearerTokenInterceptor: TokenInterceptor {
    package func withCachedToken(_ message: RequestMessage) -> RequestMessage? {
        needsToken(message) ? source.cachedToken.map(message.withBearerToken) : message
    }

    package func intercept(_ message: RequestMessage, next: Exchange, fallback: CacheFallback) async throws -> BackendResponse {
        guard needsToken(message) else { return try await next(message) }
        let used: String
        do {
            used = try await source.token()
        } catch let failure as Failure {
            return try await cachedResponse(to: message, orThrow: failure, cause: failure.cause, fallback: fallback)
        }
        let response = try await next(message.withBearerToken(used))
        guard response.status == .unauthorized, isAllowedOrigin(response.url) else { return response }
        return try await next(message.withBearerToken(source.token(replacing: used)))
    }
}

extension RequestMessage {
    fileprivate func withBearerToken(_ token: String) -> RequestMessage {
        var message = self
        message.headers[.authorization] = "Bearer \(token)"
        return message
    }
}

extension URL {
    /// The scheme, host and port; nil without a host.
    package var origin: String? {
        authority.map { "\(scheme?.lowercased() ?? "")://\($0)" }
    }
}
