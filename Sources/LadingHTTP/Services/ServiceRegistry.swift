public import LadingOperations

/// What services are called with: the client that asks, and the queue that runs.
///
/// It is handed to whoever calls services. An app gives its services their names in an extension:
///
/// ```swift
/// extension ServiceRegistry {
///     func headlines() async throws -> [String] { try await value(of: Headlines(url: headlinesURL)) }
/// }
/// ```
public struct ServiceRegistry: Sendable {
    public let client: BackendClient
    public let queue: BackendQueue

    public init(client: BackendClient, queue: BackendQueue) {
        self.client = client
        self.queue = queue
    }

    /// Begins a call, and says how it can be followed and cancelled.
    ///
    /// - Parameter deadline: How long from now the call may take; after that it fails with `OperationError.deadlineExceeded`.
    public func call<Value>(
        _ service: some BackendService<Value>, priority: OperationPriority = .visible, for consumer: OperationConsumer = .none,
        deadline: Duration? = nil
    ) -> ServiceCall<Value> {
        let progress = OperationProgress()
        let operation = service.operations(through: client, progress: progress)
        operation.erased.onCompletion { progress.finish(isComplete: $0 == .succeeded) }
        queue.submit(operation, priority: priority, for: consumer, deadline: deadline)
        return ServiceCall(operation: operation, progress: progress)
    }

    /// The value of a call, which is cancelled when the waiting task is.
    ///
    /// - Throws: What the first operation threw that failed, `OperationError`, or `CancellationError`.
    public nonisolated(nonsending) func value<Value>(
        of service: some BackendService<Value>, priority: OperationPriority = .visible, for consumer: OperationConsumer = .none,
        deadline: Duration? = nil
    ) async throws -> Value {
        let call = call(service, priority: priority, for: consumer, deadline: deadline)
        return try await withTaskCancellationHandler {
            try await call.value
        } onCancel: {
            call.cancel()
        }
    }
}
