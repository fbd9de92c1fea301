/// Makes one attempt at an exchange with a backend: it sends a message and hands over the reply as it arrives.
///
/// An executor follows no redirect, repeats nothing and caches nothing: policy lives in the layers above it. What it must do:
///
/// - undo the content codings it asked for, and report the body as the sender meant it;
/// - fail with `BackendError.timedOut` when neither head nor body moves within the time limit;
/// - fail with `BackendError.interrupted` when the connection ends before the body does, and with `.unreachable` when there is none;
/// - close the connection when the task is cancelled or `receive` returns before the end of the body, and throw `CancellationError`
///   in the first case;
/// - pass on what `receive` throws.
public protocol BackendExecutor: Sendable {
    /// - Parameters:
    ///   - timeLimit: The longest silence of the server that is put up with.
    ///   - receive: Reads the reply; the exchange ends when it returns.
    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome
}
