import HTTPTypes
import LadingHTTP
import Timing

/// An executor that repeats a safe request once when its connection ended before the response began.
///
/// An origin may close a persistent connection just when the next request arrives, without having processed it (RFC 9112 §9.3.1). A request that
/// fails twice has failed (RFC 9110 §9.2.2). Both attempts share the time limit.
///
/// Executors retry nothing; this one is a policy between the cache of a proxy and its executor.
struct RetryOnceExecutor: BackendExecutor {
    /// The safe methods of RFC 9110 §9.2.1 that carry no body.
    private static let retryableMethods: Set<HTTPRequest.Method> = [.get, .head, .options]

    private let base: any BackendExecutor
    private let stopwatch: Stopwatch

    /// - Parameter clock: The clock that measures the time limit.
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
        var isStarted = false
        do {
            return try await base.execute(message, timeLimit: timeLimit) { head, body in
                isStarted = true
                return try await receive(head, body)
            }
        } catch BackendError.interrupted where !isStarted {
            return try await base.execute(message, timeLimit: max(.zero, end - stopwatch.elapsed()), receive: receive)
        }
    }
}
