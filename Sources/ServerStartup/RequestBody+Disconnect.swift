package import HummingbirdCore

extension RequestBody {
    /// Does something unless the client goes away meanwhile, which cancels it. It costs the connection.
    ///
    /// What is left of the body is read first: Hummingbird 2.28 ends the process when something is done before the end of the request has been read.
    @concurrent
    package func withCancellationOnDisconnect<Value: Sendable>(_ work: @concurrent () async throws -> Value) async throws -> Value {
        try await consumeWithCancellationOnInboundClose { body in
            for try await _ in body {}
            return try await work()
        }
    }
}
