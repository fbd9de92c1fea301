/// An interceptor that adds a token, which somebody has to be asked for now and then.
///
/// The client helps where nobody can be asked: then what its cache has kept will do.
protocol TokenInterceptor: RequestInterceptor {
    /// Hands over what is kept, as if the server could not be reached for this reason; where nothing will do it throws the reason.
    typealias Kept = (RequestMessage, _ obstacle: BackendError) async throws -> BackendReply

    /// The message as it can be sent without asking for a token; nil when it lacks one.
    func withKnownToken(_ message: RequestMessage) -> RequestMessage?

    func intercept(_ message: RequestMessage, next: Exchange, kept: Kept) async throws -> BackendReply
}

extension TokenInterceptor {
    /// The reply to a message for which there is no token.
    ///
    /// - Parameters:
    ///   - failure: What is thrown when nothing that is kept will do.
    ///   - cause: Why there is no token.
    func keptReply(
        to message: RequestMessage, insteadOf failure: any Error, because cause: any Error, kept: Kept
    ) async throws -> BackendReply {
        guard let obstacle = cause as? BackendError, obstacle.meansOffline else { throw failure }
        do {
            return try await kept(message, obstacle)
        } catch let error as BackendError where error.meansOffline {
            throw failure
        }
    }
}
