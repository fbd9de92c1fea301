import LadingHTTP

/// An executor that sends bodies which are read while they are sent over connections of their own.
///
/// A window forwards photos as slowly as phones send them. Other requests never wait for a connection that such a body occupies.
struct UploadRouter: BackendExecutor {
    /// The executor of messages without a body, or with one in memory.
    let network: any BackendExecutor
    /// The executor of streams and files.
    let uploads: any BackendExecutor

    nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let executor = message.body.bytes == nil ? uploads : network
        return try await executor.execute(message, timeLimit: timeLimit, receive: receive)
    }
}
