import Foundation
import HTTPTypes
public import LadingOperations
import Timing

/// A client that sends requests through an executor, follows redirects, enforces limits and decodes responses.
///
/// ```swift
/// let client = BackendClient()
/// let book = try await client.get(url, as: Book.self)
/// ```
public struct BackendClient: Sendable {
    /// The maximum capacity reserved for a body of announced length, in bytes; it grows as the body arrives.
    private static let reservedCapacityLimit = 256 << 10

    let executor: any BackendExecutor
    let startStopwatch: @Sendable () -> Stopwatch
    let policy: URLPolicy
    private(set) var interceptors: [any RequestInterceptor]
    private(set) var retries: RetryControl?
    private(set) var cache: HTTPCache?
    /// The monitor that learns which hosts respond; nil for none.
    package let reachability: ReachabilityMonitor?

    /// Creates a client of an executor.
    ///
    /// - Parameters:
    ///   - executor: The executor of requests; by default that of the platform, `URLSessionExecutor`.
    ///   - clock: The clock that measures the duration of exchanges.
    ///   - interceptors: The interceptors of each exchange, outermost first.
    ///   - retries: The circuit breakers of hosts and the retries of operations; nil for neither.
    ///   - cache: The cache, consulted before the executor and within the interceptors; nil for none.
    ///   - reachability: The monitor that learns which hosts respond; nil for none.
    public init(
        executor: any BackendExecutor = URLSessionExecutor(), clock: some Clock<Duration> = ContinuousClock(),
        policy: URLPolicy = URLPolicy(),
        interceptors: [any RequestInterceptor] = [], retries: RetryControl? = nil, cache: HTTPCache? = nil,
        reachability: ReachabilityMonitor? = nil
    ) {
        self.executor = executor
        self.startStopwatch = { Stopwatch(clock) }
        self.policy = policy
        self.interceptors = interceptors
        self.retries = retries
        self.cache = cache
        self.reachability = reachability
    }

    /// Returns the same client with another interceptor, innermost.
    package func adding(_ innermost: any RequestInterceptor) -> BackendClient {
        var client = self
        client.interceptors.append(innermost)
        return client
    }

    /// Returns the same client with a cache.
    package func caching(in cache: HTTPCache) -> BackendClient {
        var client = self
        client.cache = cache
        return client
    }

    /// Returns the same client without its interceptors, for messages with contents that they must not see.
    package func withoutInterceptors() -> BackendClient {
        var client = self
        client.interceptors = []
        return client
    }

    /// Returns the same client without its cache, for responses that only the server may give and that are stored elsewhere.
    package func withoutCache() -> BackendClient {
        var client = self
        client.cache = nil
        return client
    }

    /// The same client without its interceptors and its cache, for requests that probe a host.
    var probeClient: BackendClient { withoutInterceptors().withoutCache() }

    /// Returns the same client without its `RetryControl`, for exchanges whose outcome does not indicate the state of the host.
    package func withoutRetries() -> BackendClient {
        var client = self
        client.retries = nil
        return client
    }

    /// Returns the value of a request.
    ///
    /// - Parameters:
    ///   - partition: The owner of the request; stored responses are not shared across partitions.
    ///   - progress: Receives the sent and received bytes; the total is unknown before the response begins. It ends with the exchange, unless it is
    ///     that of an operation.
    ///   - uploadProgress: Receives the sent bytes of the message body.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, or any other error of the executor, an interceptor or the message
    ///   body. For a status other than 200–299, `BackendError.status` with the beginning of the body.
    public nonisolated(nonsending) func value<Value>(
        of request: BackendRequest<Value>, partition: String = "", progress: OperationProgress? = nil,
        uploadProgress: OperationProgress? = nil
    ) async throws -> Value {
        let response = try await response(
            to: request.message, within: request.limits, partition: partition, progress, uploadProgress, truncatesErrorBodies: true)
        return try await value(of: request, in: response, partition: partition)
    }

    /// Decodes a response, and evicts it from the cache when that fails, so that the next request reaches the server.
    func value<Value>(of request: BackendRequest<Value>, in response: BackendResponse, partition: String) async throws -> Value {
        guard response.status.kind == .successful else { throw BackendError(statusOf: response) }
        do {
            return try request.decode(response)
        } catch {
            await cache?.removeCachedResponses(for: response.url, partition: partition)
            throw BackendError.decodingFailed(response.url, cause: error)
        }
    }

    /// Returns the response to a message, whatever its status, after redirects. The size limit applies to errors, too.
    ///
    /// - Parameters:
    ///   - partition: The owner of the request; stored responses are not shared across partitions.
    ///   - progress: Receives the sent and received bytes; the total is unknown before the response begins. It ends with the exchange, unless it is
    ///     that of an operation.
    ///   - uploadProgress: Receives the sent bytes of the message body.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, or any other error of the executor, an interceptor or the message
    ///   body.
    public nonisolated(nonsending) func response(
        to message: RequestMessage, within limits: ResponseLimits = ResponseLimits(), partition: String = "",
        progress: OperationProgress? = nil, uploadProgress: OperationProgress? = nil
    ) async throws -> BackendResponse {
        try await response(to: message, within: limits, partition: partition, progress, uploadProgress, truncatesErrorBodies: false)
    }

    private func response(
        to message: RequestMessage, within limits: ResponseLimits, partition: String, _ progress: OperationProgress?,
        _ uploadProgress: OperationProgress?, truncatesErrorBodies: Bool
    ) async throws -> BackendResponse {
        let progressReporter = ExchangeProgressReporter(progress: progress, upload: uploadProgress)
        var isComplete = false
        defer { progressReporter?.finish(isComplete: isComplete) }
        let exchange = ExchangeContext(
            redirects: limits.redirects, timeLimit: .exchange(limits.time, startStopwatch()), progressReporter: progressReporter,
            partition: partition, truncatesErrorBodies: truncatesErrorBodies)
        let response = try await response(to: message, exchange, bodySize: limits.bodySize)
        isComplete = true
        return response
    }

    /// Returns the response with its complete body, of at most `bodySize` bytes.
    func response(to message: RequestMessage, _ exchange: ExchangeContext, bodySize: Int) async throws -> BackendResponse {
        var response = try await response(to: message, exchange, through: interceptors[...]) { head, body, hop in
            try await read(body, after: head, of: hop, exchange, bodySize: bodySize)
        }
        // An interceptor may have created the response.
        if message.containsSecrets { response.containsSecrets = true }
        return response
    }

    private func read(
        _ body: ResponseBody, after head: ResponseHead, of message: RequestMessage, _ exchange: ExchangeContext, bodySize: Int
    ) async throws -> BackendResponse {
        let canTruncate = exchange.truncatesErrorBodies && head.status.kind != .successful
        let sizeLimit = canTruncate ? ErrorResponse.bodyLimit : bodySize
        let expected = head.bodyLength(for: message.method)
        guard canTruncate || expected ?? 0 <= sizeLimit else { throw BackendError.bodyTooLarge(message.url, limit: sizeLimit) }
        var response = BackendResponse(url: message.url, status: head.status, headers: head.headers)
        response.containsSecrets = message.containsSecrets
        response.body.reserveCapacity(min(expected ?? 0, sizeLimit, Self.reservedCapacityLimit))
        exchange.progressReporter?.reportReceived(0, of: expected)
        for try await chunk in body {
            let capacity = sizeLimit - response.body.count
            guard canTruncate || chunk.count <= capacity else { throw BackendError.bodyTooLarge(message.url, limit: sizeLimit) }
            guard body.isStored || exchange.timeLimit.remaining > .zero else {
                throw BackendError.timedOut(message.url, after: exchange.timeLimit.duration)
            }
            response.body += chunk.prefix(capacity)
            exchange.progressReporter?.reportReceived(response.body.count, of: expected)
            response.isTruncated = chunk.count > capacity
            if response.isTruncated { break }
        }
        return response
    }
}
