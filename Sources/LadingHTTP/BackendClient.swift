import Foundation
import HTTPTypes
import LadingOperations

/// Asks backends through an executor: follows redirects, keeps to the bounds of a request, decodes the reply.
public struct BackendClient: Sendable {
    /// How much memory is set aside for a body on the server's word, in bytes; more is taken as the body arrives.
    private static let reservation = 256 << 10

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
    package func keeping(in cache: HTTPCache) -> BackendClient {
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
    var probing: BackendClient {
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
        let reply = try await reply(to: request.message, within: request.bounds, partition: partition, onProgress: onProgress)
        return try await value(of: request, in: reply, partition: partition)
    }

    /// A reply that cannot be read is not kept any longer: whoever asks again asks the server.
    func value<Value>(of request: BackendRequest<Value>, in reply: BackendReply, partition: String) async throws -> Value {
        guard reply.status.kind == .successful else {
            throw BackendError.status(reply.status.code, reply.url, headers: reply.headers)
        }
        do {
            return try request.decode(reply)
        } catch {
            await cache?.forget(reply.url, partition: partition)
            throw BackendError.undecodable(reply.url, cause: error)
        }
    }

    /// The reply to a message, whatever its status, after redirects.
    ///
    /// - Parameters:
    ///   - partition: Whose request it is: what the cache keeps for one is not handed to another.
    ///   - onProgress: Hears how far the exchange has come, from several threads, one call at a time in each direction.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, or what else the executor or the body of the message throws.
    public nonisolated(nonsending) func reply(
        to message: RequestMessage, within bounds: ReplyBounds = ReplyBounds(), partition: String = "",
        onProgress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> BackendReply {
        let meter = ExchangeMeter(onProgress)
        return try await reply(to: message, within: bounds) { stopwatch in
            Exchange(redirects: bounds.redirects, time: bounds.time, stopwatch: stopwatch, meter: meter, partition: partition)
        }
    }

    func reply(
        to message: RequestMessage, within bounds: ReplyBounds, exchange: (Stopwatch) -> Exchange
    ) async throws -> BackendReply {
        let stopwatch = startStopwatch()
        let exchange = exchange(stopwatch)
        return try await reply(to: message, exchange, through: interceptors[...]) { head, body, hop in
            try await read(body, after: head, of: hop, within: bounds, stopwatch, exchange.meter)
        }
    }

    private func read(
        _ body: ReplyBody, after head: ReplyHead, of message: RequestMessage, within bounds: ReplyBounds, _ stopwatch: Stopwatch,
        _ meter: ExchangeMeter?
    ) async throws -> BackendReply {
        let expected = head.bodyLength(asked: message.method)
        guard expected ?? 0 <= bounds.bodySize else { throw BackendError.bodyTooLarge(message.url, limit: bounds.bodySize) }
        var reply = BackendReply(url: message.url, status: head.status, headers: head.headers)
        reply.body.reserveCapacity(min(expected ?? 0, Self.reservation))
        meter?.received(0, of: expected)
        for try await chunk in body {
            guard reply.body.count + chunk.count <= bounds.bodySize else {
                throw BackendError.bodyTooLarge(message.url, limit: bounds.bodySize)
            }
            guard stopwatch.elapsed() < bounds.time else { throw BackendError.timedOut(message.url, after: bounds.time) }
            reply.body += chunk
            meter?.received(reply.body.count, of: expected)
        }
        return reply
    }
}
