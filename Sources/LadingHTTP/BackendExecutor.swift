/// Makes one attempt at an exchange with a backend: it sends a message and hands over the reply as it arrives.
///
/// An executor follows no redirect, repeats nothing and caches nothing: policy lives in the layers above it. What it must do:
///
/// - send the body of the message chunk by chunk as it is read, or otherwise and with `reportSent`; what reading it throws ends the exchange and
///   is passed on, and the server never takes a body for whole that is not;
/// - hand over a reply that arrives before the body was sent;
/// - undo the content codings it asked for, and report the body as the sender meant it;
/// - fail with `BackendError.timedOut` when the head has not arrived within the time limit, or when nothing arrives, head or body, for longer
///   than a limit of silence that is its own; the error names the limit that struck;
/// - fail with `.interrupted` when the connection ends before the reply does, with `.malformedResponse` when the reply is no HTTP, and with
///   `.unreachable` when no connection came about;
/// - fail with `.refused(_, .privateAddress)` when `message.reach` does not allow the address that it connects to, before it has sent anything
///   of the message;
/// - close the connection when the task is cancelled or `receive` returns before the end of the body, and throw `CancellationError`
///   in the first case;
/// - pass on what `receive` throws.
///
/// `ExecutorConformance` in LadingTesting checks all of it over real sockets.
public protocol BackendExecutor: Sendable {
    /// - Parameters:
    ///   - timeLimit: The longest that the head of the reply may take.
    ///   - receive: Reads the reply; the exchange ends when it returns.
    nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome
}
