/// An executor of single attempts: it sends a message and streams the response as it arrives.
///
/// An executor follows no redirects, retries nothing and caches nothing: policy belongs to the layers above it. It must:
///
/// - send the body of the message chunk by chunk as it is read, or in another way with `reportSent`; an error of reading the body ends the exchange
///   and is rethrown, and the server never receives a truncated body as a complete one;
/// - send all cookies in one field `Cookie` over HTTP/1.1, although `HTTPFields` contains one for each;
/// - deliver a response that arrives before the body is sent;
/// - decode the content codings that it requested, and deliver the decoded body; to HEAD, with status 1xx, 204 or 304, and with `Content-Length: 0` the
///   body is empty, whatever coding the head names;
/// - fail with `BackendError.timedOut` when the head does not arrive within the time limit, or when no bytes of head or body arrive for longer than
///   the executor's own silence limit; the error carries the limit that expired;
/// - fail with `.interrupted` when the connection ends before the response does, with `.malformedResponse` when the response is not HTTP, and with
///   `.unreachable` when no connection is established;
/// - fail with `.policyViolation(_, .privateAddress)` when `message.addressPolicy` does not allow the address that it connects to, before it sends
///   any part of the message;
/// - close the connection when the task is cancelled or `receive` returns before the end of the body, and throw `CancellationError` in the first
///   case;
/// - rethrow errors of `receive`.
///
/// `ExecutorConformance` in LadingConformance checks all of this over real sockets.
public protocol BackendExecutor: Sendable {
    /// Performs one exchange: sends a request and passes the response to `receive`.
    ///
    /// - Parameters:
    ///   - timeLimit: The maximum wait for the response head.
    ///   - receive: Reads the response; the exchange ends when it returns.
    /// - Throws: The errors in the list above.
    nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome
}
