public import LadingOperations

/// One call of a service, while it lasts and after.
public struct ServiceCall<Value: Sendable>: Sendable {
    /// The operation whose end is that of the call.
    public let operation: BackendOperation<Value>
    /// How far the whole call is.
    public let progress: OperationProgress

    /// Its value, as soon as it has ended. Whoever waits here does not cancel it by being cancelled.
    ///
    /// - Throws: What the first operation threw that failed, `OperationError` when none did, or `CancellationError`.
    public nonisolated(nonsending) var value: Value {
        get async throws {
            do {
                return try await operation.value
            } catch {
                throw OperationError.rootCause(of: error)
            }
        }
    }

    /// Takes the call back, and with it all that only it needed.
    public func cancel() { operation.cancel() }
}
