public import Foundation
import HTTPTypes

/// Adds a bearer token (RFC 6750) to requests to its own servers, and fetches another when they refuse it with 401.
///
/// ```swift
/// let token = BearerTokenInterceptor(for: [backend.baseURL], token: stored) { old in try await signIn() }
/// let client = BackendClient(executor: executor, interceptors: [token])
/// ```
///
/// A new token is fetched once for all requests that need it, however many were refused; one that was refused with an older token just uses
/// the newer. Each is asked again once. A request that has an `Authorization` of its own is left alone, and so is one to any other server.
///
/// Where no token can be had because whoever hands them out is out of reach (the closure throws such a `BackendError`), the client's cache
/// answers as if the server itself were.
///
/// Fetching goes on to its end even when nobody waits for it any more, because the old token may have become useless by then; its time is
/// bounded by whoever fetches.
public final class BearerTokenInterceptor: RequestInterceptor {
    /// No token could be fetched.
    public struct Failure: Error, CustomStringConvertible {
        /// What fetching it threw.
        public let cause: any Error

        public var description: String { "cannot sign in: \(cause)" }
    }

    private let allowedOrigins: Set<String>
    private let source: TokenSource

    /// - Parameters:
    ///   - servers: URLs of the servers that may see the token: scheme, host and port count.
    ///   - token: The token to begin with; without one the first request fetches it.
    ///   - fetch: Gives a new token, instead of the old one if there was one. It must not ask through this interceptor.
    public init(
        for servers: [URL], token: String? = nil, fetch: nonisolated(nonsending) @escaping @Sendable (_ old: String?) async throws -> String
    ) {
        self.allowedOrigins = Set(servers.compactMap(\.origin))
        source = TokenSource(token) { old in
            do { return try await fetch(old) } catch { throw Failure(cause: error) }
        }
    }

    /// - Throws: `Failure` when no token could be fetched, and what the exchange throws.
    public nonisolated(nonsending) func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        try await intercept(message, next: next) { _, obstacle in throw obstacle }
    }

    private func isAllowedOrigin(_ url: URL) -> Bool { url.origin.map(allowedOrigins.contains) ?? false }

    private func needsToken(_ message: RequestMessage) -> Bool { isAllowedOrigin(message.url) && message.headers[.authorization] == nil }
}

extension BearerTokenInterceptor: TokenInterceptor {
    func withCachedToken(_ message: RequestMessage) -> RequestMessage? {
        needsToken(message) ? source.cachedToken.map(message.withBearerToken) : message
    }

    func intercept(_ message: RequestMessage, next: Exchange, fallback: CacheFallback) async throws -> BackendResponse {
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
    /// Scheme, host and port; nil without a host.
    var origin: String? {
        authority.map { "\(scheme?.lowercased() ?? "")://\($0)" }
    }
}
