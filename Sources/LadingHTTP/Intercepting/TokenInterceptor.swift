/// An interceptor that adds a token, which somebody has to be asked for now and then.
///
/// The client helps where nobody can be asked: then what its cache has kept will do.
protocol TokenInterceptor: RequestInterceptor {
    /// Hands over what is kept, as if the server could not be reached for this reason; where nothing will do it throws the reason.
    typealias CacheFallback = (RequestMessage, _ obstacle: BackendError) async throws -> BackendResponse

    /// The message as it can be sent without asking for a token; nil when it lacks one.
    func withCachedToken(_ message: RequestMessage) -> RequestMessage?

    func intercept(_ message: RequestMessage, next: Exchange, fallback: CacheFallback) async throws -> BackendResponse
}

extension TokenInterceptor {
    /// The reply to a message for which there is no token.
    ///
    /// - Parameters:
    ///   - failure: What is thrown when nothing that is kept will do.
    ///   - cause: Why there is no token.
    func cachedResponse(
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
