public import Foundation
public import LadingOperations

/// The client and the queue that services are called with.
///
/// The callers of services receive it. An app names its services in an extension:
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

    /// Starts a call and returns it.
    ///
    /// - Parameter deadline: The maximum duration of the call, after which it fails with `OperationError.deadlineExceeded`; nil for none.
    public func call<Value>(
        _ service: some BackendService<Value>, priority: OperationPriority = .visible, for consumer: OperationConsumer = .none,
        deadline: Duration? = nil
    ) -> ServiceCall<Value> {
        let progress = OperationProgress()
        let operation = service.operation(through: client, progress: progress)
        operation.erased.onCompletion { progress.finish(isComplete: $0 == .succeeded) }
        queue.submit(operation, priority: priority, for: consumer, deadline: deadline)
        return ServiceCall(operation: operation, progress: progress)
    }

    /// Calls a service and returns its value. Cancelling the waiting task cancels the call.
    ///
    /// - Parameter deadline: The maximum duration of the call; nil for none.
    /// - Throws: The error of the first failed operation; `OperationError`, `.deadlineExceeded` after the deadline; or `CancellationError`.
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

    /// Makes a request in the queue, and returns the value in the JSON of its response. Cancelling the waiting task cancels the request.
    ///
    /// - Parameters:
    ///   - deadline: The maximum duration, waiting included; nil for none.
    ///   - partition: The owner of the request; flights and stored responses are not shared across partitions.
    /// - Throws: As `BackendQueue.value(of:)`, with the errors of `BackendClient.value(of:)` as those of the work.
    public nonisolated(nonsending) func value<Value: Decodable & Sendable>(
        of message: RequestMessage, priority: OperationPriority = .visible, for consumer: OperationConsumer = .none,
        deadline: Duration? = nil, partition: String = "", decoding type: Value.Type, decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value {
        let operation = client.operation(message, partition: partition, decoding: type, decoder: decoder)
        return try await queue.value(of: operation, priority: priority, for: consumer, deadline: deadline)
    }
}
