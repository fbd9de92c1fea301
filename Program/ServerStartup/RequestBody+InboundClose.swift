package import HummingbirdCore

extension RequestBody {
    /// Performs work and cancels it when the client disconnects. The connection is closed afterwards.
    ///
    /// The rest of the body is consumed first: Hummingbird 2.28 ends the process when work is performed before the end of the request was read.
    @concurrent
    package func withCancellationOnInboundClose<Value: Sendable>(_ work: @concurrent () async throws -> Value) async throws -> Value {
        try await consumeWithCancellationOnInboundClose { body in
            for try await _ in body {}
            return try await work()
        }
    }
}
