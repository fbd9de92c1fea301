public import LadingOperations

/// A running or completed call of a service.
public struct ServiceCall<Value: Sendable>: Sendable {
    /// The operation whose completion ends the call.
    public let operation: BackendOperation<Value>
    /// The progress of the whole call.
    public let progress: OperationProgress

    /// The value of the call, once it has ended. Cancelling the waiting task does not cancel the call.
    ///
    /// - Throws: The error of the first failed operation, `OperationError` when none failed, or `CancellationError`.
    public nonisolated(nonsending) var value: Value {
        get async throws {
            do {
                return try await operation.value
            } catch {
                throw OperationError.rootCause(of: error)
            }
        }
    }

    /// Cancels the call and the operations that nothing else needs.
    public func cancel() { operation.cancel() }
}
