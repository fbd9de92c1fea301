import Foundation
import HTTPTypes
public import LadingOperations

/// Asks backends through an executor: follows redirects, keeps to the bounds of a request, decodes the reply.
public struct BackendClient: Sendable {
    /// How much memory is set aside for a body on the server's word, in bytes; more is taken as the body arrives.
    private static let reservation = 256 << 10

    let executor: any BackendExecutor
    let startStopwatch: @Sendable () -> Stopwatch
    let policy: URLPolicy
    private(set) var interceptors: [any RequestInterceptor]
    let retries: RetryControl?

    /// - Parameters:
    ///   - clock: Measures how long an exchange takes.
    ///   - interceptors: Stand around each exchange, the first one outermost.
    ///   - retries: Leaves hosts alone that fail, and lets operations try again; nil does neither.
    public init(
        executor: any BackendExecutor, clock: some Clock<Duration> = ContinuousClock(), policy: URLPolicy = URLPolicy(),
        interceptors: [any RequestInterceptor] = [], retries: RetryControl? = nil
    ) {
        self.executor = executor
        self.startStopwatch = { Stopwatch(clock) }
        self.policy = policy
        self.interceptors = interceptors
        self.retries = retries
    }

    /// The same client with another interceptor, which stands within those that it has.
    package func adding(_ innermost: any RequestInterceptor) -> BackendClient {
        var client = self
        client.interceptors.append(innermost)
        return client
    }

    /// The same client without its interceptors: for messages with something in them that these must not see.
    func withoutInterceptors() -> BackendClient {
        var client = self
        client.interceptors = []
        return client
    }

    /// The value of a request.
    ///
    /// - Parameter onProgress: Hears how far the exchange has come, from several threads, one call at a time in each direction.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, or what else the executor or the body of the message throws.
    public func value<Value>(
        of request: BackendRequest<Value>, onProgress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> Value {
        let reply = try await reply(to: request.message, within: request.bounds, onProgress: onProgress)
        guard reply.status.kind == .successful else {
            throw BackendError.status(reply.status.code, reply.url, headers: reply.headers)
        }
        do {
            return try request.decode(reply)
        } catch {
            throw BackendError.undecodable(reply.url, cause: error)
        }
    }

    /// The reply to a message, whatever its status, after redirects.
    ///
    /// - Parameter onProgress: Hears how far the exchange has come, from several threads, one call at a time in each direction.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, or what else the executor or the body of the message throws.
    public func reply(
        to message: RequestMessage, within bounds: ReplyBounds = ReplyBounds(),
        onProgress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> BackendReply {
        let stopwatch = startStopwatch()
        let exchange = Exchange(redirects: bounds.redirects, time: bounds.time, stopwatch: stopwatch, meter: ExchangeMeter(onProgress))
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

// MARK: - As operations

extension BackendClient {
    /// An operation that makes a request in the network lane of its host. Safe requests share a flight with their equals.
    ///
    /// With a `RetryControl` a request that failed is made again when that is worth it; while the operation waits for it, it holds no slot.
    ///
    /// Requests for one URL with equal header fields, equal trust and one type of value are taken to be decoded alike.
    ///
    /// - Parameter partition: Whose wish it is; flights are not shared across partitions.
    public func operation<Value>(
        _ request: BackendRequest<Value>, partition: String = ""
    ) -> BackendOperation<Value> {
        let message = request.message
        return BackendOperation(
            "\(message.method.rawValue) \(message.url.absoluteString)", key: message.key(partition: partition),
            lane: .network(message.url.authority ?? ""), rules: retries.map { OperationRules(retry: $0.retry(of: message)) }
        ) {
            let progress = OperationProgress.current
            // Bytes that were sent count as done, but what is sent is of no use before the reply is here.
            return try await value(of: request) { exchange in
                progress?.report(completed: exchange.sent + exchange.received, total: exchange.toReceive.map { exchange.sent + $0 })
            }
        }
    }
}
