import HTTPTypes
import LadingHTTP

/// Repeats a safe request once when its connection ended before the reply began.
///
/// An origin may close a connection that was kept open in the moment in which the next request comes, and has then not dealt with it
/// (RFC 9112 §9.3.1). A request that fails twice has failed (RFC 9110 §9.2.2).
struct RepeatingExecutor: BackendExecutor {
    /// The safe methods of RFC 9110 §9.2.1 that carry no body.
    private static let repeatable: Set<HTTPRequest.Method> = [.get, .head, .options]

    let base: any BackendExecutor

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        guard Self.repeatable.contains(message.method), message.body.length == 0 else {
            return try await base.execute(message, timeLimit: timeLimit, receive: receive)
        }
        var hasBegun = false
        do {
            return try await base.execute(message, timeLimit: timeLimit) { head, body in
                hasBegun = true
                return try await receive(head, body)
            }
        } catch BackendError.interrupted where !hasBegun {
            return try await base.execute(message, timeLimit: timeLimit, receive: receive)
        }
    }
}
