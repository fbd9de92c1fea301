/// An interceptor that adds a token, which is fetched from time to time.
///
/// When no token can be fetched, the client serves responses from its cache.
package protocol TokenInterceptor: RequestInterceptor {
    /// A function that serves a stored response as if the server were unreachable for this reason; without one it throws the reason.
    typealias CacheFallback = (RequestMessage, _ tokenError: BackendError) async throws -> BackendResponse

    /// Returns the message as it can be sent without fetching a token; nil when it lacks one.
    func withCachedToken(_ message: RequestMessage) -> RequestMessage?

    func intercept(_ message: RequestMessage, next: Exchange, fallback: CacheFallback) async throws -> BackendResponse
}

extension TokenInterceptor {
    /// Returns the response to a message without a token.
    ///
    /// - Parameters:
    ///   - failure: The error when no stored response can be served.
    ///   - cause: The reason why there is no token.
    package func cachedResponse(
        to message: RequestMessage, orThrow failure: any Error, cause: any Error, fallback: CacheFallback
    ) async throws -> BackendResponse {
        guard let originError = cause as? BackendError, originError.isOriginUnreachable else { throw failure }
        do {
            return try await fallback(message, originError)
        } catch let error as BackendError where error.isOriginUnreachable {
            throw failure
        }
    }
}
