import Foundation
import HTTPTypes
public import LadingOperations

/// Asks backends through an executor: follows redirects, keeps to the bounds of a request, decodes the reply.
public struct BackendClient: Sendable {
    /// How much memory is set aside for a body on the server's word, in bytes; more is taken as the body arrives.
    private static let reservation = 256 << 10

    let executor: any BackendExecutor
    private let startStopwatch: @Sendable () -> Stopwatch
    let policy: URLPolicy
    private var interceptors: [any RequestInterceptor]
    private let retries: RetryControl?

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
    func adding(_ innermost: any RequestInterceptor) -> BackendClient {
        var client = self
        client.interceptors.append(innermost)
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
        let exchange = Exchange(bounds: bounds, stopwatch: startStopwatch(), meter: ExchangeMeter(onProgress))
        return try await reply(to: message, exchange, through: interceptors[...])
    }

    /// Makes an exchange within the interceptors.
    private func reply(
        to message: RequestMessage, _ exchange: Exchange, through interceptors: ArraySlice<any RequestInterceptor>
    ) async throws -> BackendReply {
        guard let outermost = interceptors.first else { return try await followed(message, exchange) }
        return try await outermost.intercept(message) { message in
            try await reply(to: message, exchange, through: interceptors.dropFirst())
        }
    }

    /// The reply after redirects.
    private func followed(_ message: RequestMessage, _ exchange: Exchange) async throws -> BackendReply {
        let bounds = exchange.bounds
        let trusted = message.provenance.trustedHost(asking: message.url)
        var hop = message
        for _ in 0...bounds.redirects {
            if let objection = policy.objection(to: hop.url) { throw BackendError.refused(hop.url, objection) }
            if message.reach == .any { hop.reach = policy.reach(of: hop.url, trusting: trusted) }
            let reply = try await attempt(exchange.meter.begin(hop), exchange)
            let head = ReplyHead(status: reply.status, headers: reply.headers)
            guard let target = head.redirectTarget(from: reply.url) else { return reply }
            hop = hop.redirected(to: target, status: reply.status)
        }
        throw BackendError.tooManyRedirects(hop.url, limit: bounds.redirects)
    }

    private func attempt(_ message: RequestMessage, _ exchange: Exchange) async throws -> BackendReply {
        let limit = exchange.bounds.time
        let remaining = limit - exchange.stopwatch.elapsed()
        guard remaining > .zero else { throw BackendError.timedOut(message.url, after: limit) }
        do {
            return try await judged(message) {
                try await executor.execute(message, timeLimit: remaining) { head, body in
                    try await read(body, after: head, of: message, exchange)
                }
            }
        } catch BackendError.timedOut(let url, after: remaining) {
            // What struck was the time of the whole exchange, of which this attempt was given the rest.
            throw BackendError.timedOut(url, after: limit)
        }
    }

    /// Makes an attempt if the host is thought to be up to it, and learns from its end.
    private func judged(_ message: RequestMessage, _ attempt: () async throws -> BackendReply) async throws -> BackendReply {
        guard let retries else { return try await attempt() }
        let admission = try retries.admit(message)
        do {
            let reply = try await attempt()
            retries.end(admission, with: .success(reply.status))
            return reply
        } catch {
            retries.end(admission, with: .failure(error))
            throw error
        }
    }

    private func read(
        _ body: ReplyBody, after head: ReplyHead, of message: RequestMessage, _ exchange: Exchange
    ) async throws -> BackendReply {
        let bounds = exchange.bounds
        let expected = head.bodyLength(asked: message.method)
        guard expected ?? 0 <= bounds.bodySize else { throw BackendError.bodyTooLarge(message.url, limit: bounds.bodySize) }
        var reply = BackendReply(url: message.url, status: head.status, headers: head.headers)
        reply.body.reserveCapacity(min(expected ?? 0, Self.reservation))
        exchange.meter.received(0, of: expected)
        for try await chunk in body {
            guard reply.body.count + chunk.count <= bounds.bodySize else {
                throw BackendError.bodyTooLarge(message.url, limit: bounds.bodySize)
            }
            guard exchange.stopwatch.elapsed() < bounds.time else { throw BackendError.timedOut(message.url, after: bounds.time) }
            reply.body += chunk
            exchange.meter.received(reply.body.count, of: expected)
        }
        return reply
    }

    /// What all attempts at one exchange have in common.
    private struct Exchange {
        let bounds: ReplyBounds
        let stopwatch: Stopwatch
        let meter: ExchangeMeter
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
