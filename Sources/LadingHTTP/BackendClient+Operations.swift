import Foundation
import HTTPTypes
public import LadingOperations

extension Lane {
    /// The lane of cache lookups.
    public static let cache = Lane("cache")
}

extension BackendClient {
    /// Returns an operation that makes a request in the network lane of its host. Equal safe requests share one flight.
    ///
    /// With a cache, a lookup in the lane `cache` comes first; a stored response that needs no request to the origin occupies no slot of the host.
    /// While the queue knows that there is no network, a stale response may need none either (`observe(_:servesStale:)`).
    /// With a `RetryControl`, a failed request is retried when that is worthwhile; the operation holds no slot while it waits for the retry.
    ///
    /// Requests with the same URL, header fields, trust and value type are assumed to be decoded in the same way. The operation fails with the errors
    /// of `value(of:)`.
    ///
    /// - Parameters:
    ///   - partition: The owner of the request; flights are not shared across partitions.
    ///   - lane: The lane of the exchange; nil for that of the host. Large bodies in a separate lane are measured apart from small documents.
    ///   - name: The name for logs and traces, for instance where the URL reveals what somebody looks at; nil for the method and the URL, without
    ///     its secrets.
    public func operation<Value>(
        _ request: BackendRequest<Value>, partition: String = "", lane: Lane? = nil, name: String? = nil
    ) -> BackendOperation<Value> {
        let name = name ?? Self.name(of: request.message)
        guard cache != nil, !request.message.containsSecrets, let key = request.message.key(partition: partition) else {
            return networkOperation(request, partition: partition, lane, name)
        }
        let lookup = BackendOperation<Result<Value, any Error>?>("look up \(name)", key: .step("look up", of: key), lane: .cache) {
            try await cachedResult(of: request, partition: partition)
        }
        return BackendOperation(name, key: key, lane: .cache, after: lookup) { result in
            result.map { BackendOperation(name, result: $0) } ?? networkOperation(request, partition: partition, lane, name)
        }
    }

    private static func name(of message: RequestMessage) -> String { "\(message.method.rawValue) \(message.url.redacted)" }

    /// Returns an operation that occupies a slot of the host.
    private func networkOperation<Value>(
        _ request: BackendRequest<Value>, partition: String, _ lane: Lane?, _ name: String
    ) -> BackendOperation<Value> {
        let message = request.message
        return BackendOperation(
            name, key: message.key(partition: partition), lane: lane ?? .network(message.url.authority ?? ""),
            rules: retries.map { OperationRules(retry: $0.operationRetry(for: message)) }
        ) {
            try await value(of: request, partition: partition, progress: .current)
        }
    }

    /// Returns the value of a stored response that needs no request to the origin, or its error; nil without one, or when it cannot be decoded.
    private func cachedResult<Value>(of request: BackendRequest<Value>, partition: String) async throws -> Result<Value, any Error>? {
        do {
            let limits = request.limits
            let lookup = CacheLookup(isOffline: BackendQueue.current?.servesStaleResponses ?? false)
            let exchange = ExchangeContext(
                redirects: limits.redirects, timeLimit: .exchange(limits.time, startStopwatch()), partition: partition,
                truncatesErrorBodies: true, source: .cache(lookup, hasTokens: true))
            let response = try await response(to: request.message, exchange, bodySize: limits.bodySize)
            // An interceptor may have replaced the miss, as it replaces a failure of the server, which has not been requested yet.
            guard !lookup.hasFailed else { return nil }
            guard response.status.kind == .successful else {
                // The error of an interceptor is repeated by the request to the origin, which may be retried.
                return lookup.isServed ? .failure(BackendError(statusOf: response)) : nil
            }
            return .success(try await value(of: request, in: response, partition: partition))
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            return nil
        }
    }
}
