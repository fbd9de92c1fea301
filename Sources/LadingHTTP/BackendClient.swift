import Foundation
import HTTPTypes
public import LadingOperations

/// Asks backends through an executor: follows redirects, keeps to the bounds of a request, decodes the reply.
public struct BackendClient: Sendable {
    /// Hears how much of a body has arrived, and how long it will be when that is known; both in bytes.
    package typealias BodyProgress = @Sendable (_ received: Int, _ expected: Int?) -> Void

    /// How much memory is set aside for a body on the server's word, in bytes; more is taken as the body arrives.
    private static let reservation = 256 << 10

    private let executor: any BackendExecutor
    private let startStopwatch: @Sendable () -> Stopwatch
    private let policy: URLPolicy

    /// - Parameter clock: Measures how long an exchange takes.
    public init(
        executor: any BackendExecutor, clock: some Clock<Duration> = ContinuousClock(), policy: URLPolicy = URLPolicy()
    ) {
        self.executor = executor
        self.startStopwatch = { Stopwatch(clock) }
        self.policy = policy
    }

    /// The value of a request.
    ///
    /// - Throws: `BackendError`, or `CancellationError` when the task is cancelled.
    public func value<Value>(of request: BackendRequest<Value>) async throws -> Value {
        try await value(of: request, onProgress: { _, _ in })
    }

    package func value<Value>(of request: BackendRequest<Value>, onProgress: BodyProgress) async throws -> Value {
        let reply = try await reply(to: request.message, within: request.bounds, onProgress: onProgress)
        guard reply.status.kind == .successful else { throw BackendError.status(reply.status.code, reply.url) }
        do {
            return try request.decode(reply)
        } catch {
            throw BackendError.undecodable(reply.url, cause: error)
        }
    }

    /// The reply to a message, whatever its status, after redirects.
    ///
    /// - Throws: `BackendError`, or `CancellationError` when the task is cancelled.
    public func reply(to message: RequestMessage, within bounds: ReplyBounds = ReplyBounds()) async throws -> BackendReply {
        try await reply(to: message, within: bounds, onProgress: { _, _ in })
    }

    private func reply(
        to message: RequestMessage, within bounds: ReplyBounds, onProgress: BodyProgress
    ) async throws -> BackendReply {
        let stopwatch = startStopwatch()
        let trusted = message.provenance.trustedHost(asking: message.url)
        var hop = message
        for _ in 0...bounds.redirects {
            if let objection = policy.objection(to: hop.url) { throw BackendError.refused(hop.url, objection) }
            if message.reach == .any { hop.reach = policy.reach(of: hop.url, trusting: trusted) }
            let reply = try await attempt(hop, bounds, stopwatch, onProgress)
            guard let target = reply.redirectTarget else { return reply }
            hop = hop.redirected(to: target, status: reply.status)
        }
        throw BackendError.tooManyRedirects(hop.url, limit: bounds.redirects)
    }

    private func attempt(
        _ message: RequestMessage, _ bounds: ReplyBounds, _ stopwatch: Stopwatch, _ onProgress: BodyProgress
    ) async throws -> BackendReply {
        let remaining = bounds.time - stopwatch.elapsed()
        guard remaining > .zero else { throw BackendError.timedOut(message.url, after: bounds.time) }
        do {
            return try await executor.execute(message, timeLimit: remaining) { head, body in
                try await read(body, after: head, of: message, bounds, stopwatch, onProgress)
            }
        } catch BackendError.timedOut(let url, after: remaining) {
            // What struck was the time of the whole exchange, of which this attempt was given the rest.
            throw BackendError.timedOut(url, after: bounds.time)
        }
    }

    private func read(
        _ body: ReplyBody, after head: ReplyHead, of message: RequestMessage, _ bounds: ReplyBounds, _ stopwatch: Stopwatch,
        _ onProgress: BodyProgress
    ) async throws -> BackendReply {
        let expected = head.bodyLength(asked: message.method)
        guard expected ?? 0 <= bounds.bodySize else { throw BackendError.bodyTooLarge(message.url, limit: bounds.bodySize) }
        var reply = BackendReply(url: message.url, status: head.status, headers: head.headers)
        reply.body.reserveCapacity(min(expected ?? 0, Self.reservation))
        onProgress(0, expected)
        for try await chunk in body {
            guard reply.body.count + chunk.count <= bounds.bodySize else {
                throw BackendError.bodyTooLarge(message.url, limit: bounds.bodySize)
            }
            guard stopwatch.elapsed() < bounds.time else { throw BackendError.timedOut(message.url, after: bounds.time) }
            reply.body += chunk
            onProgress(reply.body.count, expected)
        }
        return reply
    }
}

// MARK: - As operations

extension BackendClient {
    /// An operation that makes a request in the network lane of its host. Safe requests share a flight with their equals.
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
            lane: .network(message.url.authority ?? "")
        ) {
            try await value(of: request) { OperationProgress.current?.report(completed: $0, total: $1) }
        }
    }
}

extension BackendReply {
    /// Where a redirect leads; nil when the reply is none.
    fileprivate var redirectTarget: URL? {
        let redirects: [HTTPResponse.Status] = [
            .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect,
        ]
        guard redirects.contains(status), let location = headers[.location] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL
    }
}
