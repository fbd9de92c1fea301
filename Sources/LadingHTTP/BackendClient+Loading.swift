public import Foundation
public import HTTPTypes
public import LadingOperations

// One-line requests for resources of configured URLs.
extension BackendClient {
    /// Returns the value in the JSON at a URL.
    ///
    /// ```swift
    /// let book = try await client.get(url, as: Book.self)
    /// ```
    ///
    /// - Parameters:
    ///   - partition: The owner of the request; stored responses are not shared across partitions.
    ///   - progress: Receives the received bytes.
    /// - Throws: As `value(of:)`; `BackendError.status` for a status other than 200–299.
    public nonisolated(nonsending) func get<Value: Decodable & Sendable>(
        _ url: URL, as type: Value.Type, headers: HTTPFields = [:], limits: ResponseLimits = ResponseLimits(), partition: String = "",
        progress: OperationProgress? = nil, decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value {
        let request = BackendRequest(url: url, headers: headers, limits: limits, decoding: type, decoder: decoder)
        return try await value(of: request, partition: partition, progress: progress)
    }

    /// Returns the value in the JSON at a URL, which an operation of a queue loads: equal requests share one exchange, and failed ones are retried if
    /// the client has a `RetryControl`.
    ///
    /// - Parameters:
    ///   - priority: The priority among the operations in the lane of the host.
    ///   - consumer: The consumer that the operation runs for.
    ///   - partition: The owner of the request; flights and stored responses are not shared across partitions.
    /// - Throws: As `BackendQueue.value(of:)`, with the errors of `value(of:)` as those of the work.
    public nonisolated(nonsending) func get<Value: Decodable & Sendable>(
        _ url: URL, as type: Value.Type, in queue: BackendQueue, priority: OperationPriority = .visible,
        for consumer: OperationConsumer = .none, headers: HTTPFields = [:], limits: ResponseLimits = ResponseLimits(),
        partition: String = "", decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value {
        let request = BackendRequest(url: url, headers: headers, limits: limits, decoding: type, decoder: decoder)
        return try await queue.value(of: operation(request, partition: partition), priority: priority, for: consumer)
    }

    /// Returns the bytes at a URL, such as those of an image, from the cache of the client where it may.
    ///
    /// ```swift
    /// let image = try await client.data(from: url)
    /// ```
    ///
    /// - Parameters:
    ///   - partition: The owner of the request; stored responses are not shared across partitions.
    ///   - progress: Receives the received bytes.
    /// - Throws: As `value(of:)`; `BackendError.status` for a status other than 200–299.
    public nonisolated(nonsending) func data(
        from url: URL, headers: HTTPFields = [:], limits: ResponseLimits = ResponseLimits(), partition: String = "",
        progress: OperationProgress? = nil
    ) async throws -> Data {
        let request = BackendRequest(url: url, headers: headers, limits: limits, decoding: .data)
        return try await value(of: request, partition: partition, progress: progress)
    }

    /// Returns the bytes at a URL, which an operation of a queue loads: equal requests share one exchange, and failed ones are retried if the client
    /// has a `RetryControl`.
    ///
    /// - Parameters:
    ///   - priority: The priority among the operations in the lane of the host.
    ///   - consumer: The consumer that the operation runs for.
    ///   - partition: The owner of the request; flights and stored responses are not shared across partitions.
    /// - Throws: As `BackendQueue.value(of:)`, with the errors of `value(of:)` as those of the work.
    public nonisolated(nonsending) func data(
        from url: URL, in queue: BackendQueue, priority: OperationPriority = .visible, for consumer: OperationConsumer = .none,
        headers: HTTPFields = [:], limits: ResponseLimits = ResponseLimits(), partition: String = ""
    ) async throws -> Data {
        let request = BackendRequest(url: url, headers: headers, limits: limits, decoding: .data)
        return try await queue.value(of: operation(request, partition: partition), priority: priority, for: consumer)
    }
}
