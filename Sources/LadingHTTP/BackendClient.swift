import Foundation
import HTTPTypes
import LadingOperations

/// Asks backends through an executor: follows redirects, keeps to the bounds of a request, decodes the reply.
public struct BackendClient: Sendable {
    /// How much memory is set aside for a body on the server's word, in bytes; more is taken as the body arrives.
    private static let reservedCapacityLimit = 256 << 10

    let executor: any BackendExecutor
    let startStopwatch: @Sendable () -> Stopwatch
    let policy: URLPolicy
    private(set) var interceptors: [any RequestInterceptor]
    private(set) var retries: RetryControl?
    private(set) var cache: HTTPCache?
    /// Learns which hosts answer; nil where nobody watches.
    public let reachability: ReachabilityMonitor?

    /// - Parameters:
    ///   - clock: Measures how long an exchange takes.
    ///   - interceptors: Stand around each exchange, the first one outermost.
    ///   - retries: Leaves hosts alone that fail, and lets operations try again; nil does neither.
    ///   - cache: Answers what it may before an executor is asked, within the interceptors; nil keeps nothing.
    ///   - reachability: Learns which hosts answer; nil where nobody watches.
    public init(
        executor: any BackendExecutor, clock: some Clock<Duration> = ContinuousClock(), policy: URLPolicy = URLPolicy(),
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

    /// The same client with another interceptor, which stands within those that it has.
    package func adding(_ innermost: any RequestInterceptor) -> BackendClient {
        var client = self
        client.interceptors.append(innermost)
        return client
    }

    /// The same client with a cache, which answers what it may.
    package func caching(in cache: HTTPCache) -> BackendClient {
        var client = self
        client.cache = cache
        return client
    }

    /// The same client without its interceptors: for messages with something in them that these must not see.
    func withoutInterceptors() -> BackendClient {
        var client = self
        client.interceptors = []
        return client
    }

    /// The same client without its interceptors and its cache: for requests that find out whether a host answers.
    var probeClient: BackendClient {
        var client = withoutInterceptors()
        client.cache = nil
        return client
    }

    /// The same client without its `RetryControl`: for exchanges whose end says nothing about the host.
    func withoutRetries() -> BackendClient {
        var client = self
        client.retries = nil
        return client
    }

    /// The value of a request.
    ///
    /// - Parameters:
    ///   - partition: Whose request it is: what the cache keeps for one is not handed to another.
    ///   - onProgress: Hears how far the exchange has come, from several threads, one call at a time in each direction.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, or what else the executor or the body of the message throws.
    public nonisolated(nonsending) func value<Value>(
        of request: BackendRequest<Value>, partition: String = "", onProgress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> Value {
        let response = try await response(to: request.message, within: request.limits, partition: partition, onProgress: onProgress)
        return try await value(of: request, in: response, partition: partition)
    }

    /// A reply that cannot be read is not kept any longer: whoever asks again asks the server.
    func value<Value>(of request: BackendRequest<Value>, in response: BackendResponse, partition: String) async throws -> Value {
        guard response.status.kind == .successful else {
            throw BackendError.status(response.status.code, response.url, headers: response.headers)
        }
        do {
            return try request.decode(response)
        } catch {
            await cache?.removeCachedResponses(for: response.url, partition: partition)
            throw BackendError.decodingFailed(response.url, cause: error)
        }
    }

    /// The reply to a message, whatever its status, after redirects.
    ///
    /// - Parameters:
    ///   - partition: Whose request it is: what the cache keeps for one is not handed to another.
    ///   - onProgress: Hears how far the exchange has come, from several threads, one call at a time in each direction.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, or what else the executor or the body of the message throws.
    public nonisolated(nonsending) func response(
        to message: RequestMessage, within limits: ResponseLimits = ResponseLimits(), partition: String = "",
        onProgress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> BackendResponse {
        let meter = ExchangeProgressReporter(onProgress)
        return try await response(to: message, within: limits) { stopwatch in
            ExchangeContext(redirects: limits.redirects, timeLimit: limits.time, stopwatch: stopwatch, meter: meter, partition: partition)
        }
    }

    func response(
        to message: RequestMessage, within limits: ResponseLimits, exchange: (Stopwatch) -> ExchangeContext
    ) async throws -> BackendResponse {
        let stopwatch = startStopwatch()
        let exchange = exchange(stopwatch)
        return try await response(to: message, exchange, through: interceptors[...]) { head, body, hop in
            try await read(body, after: head, of: hop, within: limits, stopwatch, exchange.meter)
        }
    }

    private func read(
        _ body: ResponseBody, after head: ResponseHead, of message: RequestMessage, within limits: ResponseLimits, _ stopwatch: Stopwatch,
        _ meter: ExchangeProgressReporter?
    ) async throws -> BackendResponse {
        let expected = head.bodyLength(for: message.method)
        guard expected ?? 0 <= limits.bodySize else { throw BackendError.bodyTooLarge(message.url, limit: limits.bodySize) }
        var response = BackendResponse(url: message.url, status: head.status, headers: head.headers)
        response.body.reserveCapacity(min(expected ?? 0, Self.reservedCapacityLimit))
        meter?.received(0, of: expected)
        for try await chunk in body {
            guard response.body.count + chunk.count <= limits.bodySize else {
                throw BackendError.bodyTooLarge(message.url, limit: limits.bodySize)
            }
            guard stopwatch.elapsed() < limits.time else { throw BackendError.timedOut(message.url, after: limits.time) }
            response.body += chunk
            meter?.received(response.body.count, of: expected)
        }
        return response
    }
}
