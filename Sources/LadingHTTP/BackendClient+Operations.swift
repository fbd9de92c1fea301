import Foundation
import HTTPTypes
public import LadingOperations

extension Lane {
    /// Where it is looked up whether a request has to be made at all.
    public static let cache = Lane("cache")
}

extension BackendClient {
    /// An operation that makes a request in the network lane of its host. Safe requests share a flight with their equals.
    ///
    /// With a cache it is looked up first, in the lane `cache`, whether a reply is kept that needs no question: then no slot of the host is taken.
    /// With a `RetryControl` a request that failed is made again when that is worth it; while the operation waits for it, it holds no slot.
    ///
    /// Requests for one URL with equal header fields, equal trust and one type of value are taken to be decoded alike.
    ///
    /// - Parameters:
    ///   - partition: Whose wish it is; flights are not shared across partitions.
    ///   - lane: The lane of the exchange; nil for that of the host. Large bodies in a lane of their own are measured apart from small documents.
    public func operation<Value>(
        _ request: BackendRequest<Value>, partition: String = "", lane: Lane? = nil
    ) -> BackendOperation<Value> {
        guard cache != nil, !request.message.isConfidential, var key = request.message.key(partition: partition) else {
            return networkOperation(request, partition: partition, lane)
        }
        let name = Self.name(of: request.message)
        let requestKey = key
        key.verb = "look up \(key.verb)"
        let lookup = BackendOperation<Value?>("look up \(name)", key: key, lane: .cache) {
            try await cachedValue(of: request, partition: partition)
        }
        return BackendOperation(name, key: requestKey, lane: .cache, after: lookup) { value in
            value.map { BackendOperation(name, result: .success($0)) } ?? networkOperation(request, partition: partition, lane)
        }
    }

    private static func name(of message: RequestMessage) -> String { "\(message.method.rawValue) \(message.url.redacted)" }

    /// An operation that takes a slot of the host.
    private func networkOperation<Value>(_ request: BackendRequest<Value>, partition: String, _ lane: Lane?) -> BackendOperation<Value> {
        let message = request.message
        return BackendOperation(
            Self.name(of: message), key: message.key(partition: partition), lane: lane ?? .network(message.url.authority ?? ""),
            rules: retries.map { OperationRules(retry: $0.retry(of: message)) }
        ) {
            let progress = OperationProgress.current
            // Bytes that were sent count as done, but what is sent is of no use before the reply is here.
            return try await value(of: request, partition: partition) { exchange in
                progress?.report(completed: exchange.sent + exchange.received, total: exchange.toReceive.map { exchange.sent + $0 })
            }
        }
    }

    /// The value of a request that the cache answers without a question; nil when it does not, or not with a value.
    private func cachedValue<Value>(of request: BackendRequest<Value>, partition: String) async throws -> Value? {
        do {
            let limits = request.limits
            let response = try await response(to: request.message, within: limits) { stopwatch in
                ExchangeContext(redirects: limits.redirects, timeLimit: limits.time, stopwatch: stopwatch, partition: partition, isLookup: true)
            }
            return try await value(of: request, in: response, partition: partition)
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch {
            return nil
        }
    }
}
