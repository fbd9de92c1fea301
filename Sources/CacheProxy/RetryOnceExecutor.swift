import HTTPTypes
import LadingHTTP
import LadingOperations

/// Repeats a safe request once when its connection ended before the reply began.
///
/// An origin may close a connection that was kept open in the moment in which the next request comes, and has then not dealt with it
/// (RFC 9112 §9.3.1). A request that fails twice has failed (RFC 9110 §9.2.2). Both attempts share the time limit.
///
/// Executors repeat nothing; this one is policy, between the cache of a proxy and the executor that asks.
struct RetryOnceExecutor: BackendExecutor {
    /// The safe methods of RFC 9110 §9.2.1 that carry no body.
    private static let retryableMethods: Set<HTTPRequest.Method> = [.get, .head, .options]

    private let base: any BackendExecutor
    private let stopwatch: Stopwatch

    /// - Parameter clock: Tells how much of a time limit is left.
    init(_ base: any BackendExecutor, clock: some Clock<Duration> = ContinuousClock()) {
        self.base = base
        stopwatch = Stopwatch(clock)
    }

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        guard Self.retryableMethods.contains(message.method), message.body.length == 0 else {
            return try await base.execute(message, timeLimit: timeLimit, receive: receive)
        }
        let end = stopwatch.elapsed() + timeLimit
        var hasBegun = false
        do {
            return try await base.execute(message, timeLimit: timeLimit) { head, body in
                hasBegun = true
                return try await receive(head, body)
            }
        } catch BackendError.interrupted where !hasBegun {
            return try await base.execute(message, timeLimit: max(.zero, end - stopwatch.elapsed()), receive: receive)
        }
    }
}
