public import Foundation
public import LadingOperations

extension BackendClient {
    /// Returns the value in the JSON of the response to a message.
    ///
    /// - Throws: As `value(of:)`; `BackendError.decodingFailed` when the body is not the JSON of a value.
    public nonisolated(nonsending) func value<Value: Decodable & Sendable>(
        of message: RequestMessage, within limits: ResponseLimits = ResponseLimits(), partition: String = "",
        progress: OperationProgress? = nil, uploadProgress: OperationProgress? = nil, decoding type: Value.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) async throws -> Value {
        let request = BackendRequest(message, limits: limits, decoding: type, decoder: decoder)
        return try await value(of: request, partition: partition, progress: progress, uploadProgress: uploadProgress)
    }

    /// Returns an operation that makes a request, and whose value is in the JSON of the response; see `operation(_:partition:lane:name:)`.
    public func operation<Value: Decodable & Sendable>(
        _ message: RequestMessage, within limits: ResponseLimits = ResponseLimits(), partition: String = "", lane: Lane? = nil,
        decoding type: Value.Type, decoder: JSONDecoder = JSONDecoder()
    ) -> BackendOperation<Value> {
        operation(BackendRequest(message, limits: limits, decoding: type, decoder: decoder), partition: partition, lane: lane)
    }
}
