import Foundation
import HTTPTypes
public import LadingOperations

/// Asks backends through an executor: follows redirects, keeps to the bounds of a request, decodes the reply.
public struct BackendClient: Sendable {
    private let executor: any BackendExecutor
    /// Starts to measure time, and gives a function that tells how much has gone by.
    private let startStopwatch: @Sendable () -> @Sendable () -> Duration
    private let policy: URLPolicy

    /// - Parameter clock: Measures how long an exchange takes.
    public init(
        executor: any BackendExecutor, clock: some Clock<Duration> = ContinuousClock(), policy: URLPolicy = URLPolicy()
    ) {
        self.executor = executor
        self.startStopwatch = {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
        self.policy = policy
    }

    /// The value of a request.
    ///
    /// - Throws: `BackendError`, or `CancellationError` when the task is cancelled.
    public func value<Value>(of request: BackendRequest<Value>) async throws -> Value {
        let reply = try await reply(to: request.message, within: request.bounds)
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
        let elapsed = startStopwatch()
        var message = message
        for _ in 0...bounds.redirects {
            if let objection = policy.objection(to: message.url) { throw BackendError.refused(message.url, objection) }
            let reply = try await attempt(message, bounds, elapsed)
            guard let target = reply.redirectTarget else { return reply }
            message = message.redirected(to: target, status: reply.status)
        }
        throw BackendError.tooManyRedirects(message.url, limit: bounds.redirects)
    }

    private func attempt(
        _ message: RequestMessage, _ bounds: ReplyBounds, _ elapsed: @escaping @Sendable () -> Duration
    ) async throws -> BackendReply {
        let remaining = bounds.time - elapsed()
        guard remaining > .zero else { throw BackendError.timedOut(message.url, after: bounds.time) }
        return try await executor.execute(message, timeLimit: remaining) { head, body in
            var reply = BackendReply(url: message.url, status: head.status, headers: head.headers)
            if head.contentLength.map({ $0 > bounds.bodySize }) == true {
                throw BackendError.bodyTooLarge(message.url, limit: bounds.bodySize)
            }
            reply.body.reserveCapacity(head.contentLength ?? 0)
            for try await chunk in body {
                guard reply.body.count + chunk.count <= bounds.bodySize else {
                    throw BackendError.bodyTooLarge(message.url, limit: bounds.bodySize)
                }
                guard elapsed() < bounds.time else { throw BackendError.timedOut(message.url, after: bounds.time) }
                reply.body += chunk
            }
            return reply
        }
    }
}

// MARK: - As operations

extension BackendClient {
    /// An operation that makes a request in the network lane of its host. Safe requests share a flight with their equals.
    ///
    /// Requests for one URL with equal header fields and one type of value are taken to be decoded alike.
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
            try await value(of: request)
        }
    }
}

extension RequestMessage {
    /// The key of a safe request (RFC 9110 §9.2.1); nil for one whose repetition might matter.
    func key(partition: String) -> OperationKey? {
        guard method == .get || method == .head, body.isEmpty else { return nil }
        let fields = headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        return OperationKey(
            partition: partition, verb: method.rawValue, subject: url.absoluteString, variant: fields.joined(separator: "\n"))
    }

    /// The message that follows a redirect (RFC 9110 §15.4): 303 asks with GET; credentials stay with their host.
    fileprivate func redirected(to target: URL, status: HTTPResponse.Status) -> RequestMessage {
        var next = self
        next.url = target
        let isRewritten = status == .seeOther || (method == .post && (status == .found || status == .movedPermanently))
        if isRewritten, method != .head {
            next.method = .get
            next.body = []
        }
        if target.authority != url.authority || target.scheme != url.scheme {
            next.headers[.authorization] = nil
            next.headers[.cookie] = nil
        }
        return next
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

extension ReplyHead {
    /// The length that the server announced, in bytes; nil when it announced none that makes sense.
    fileprivate var contentLength: Int? { headers[.contentLength].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }
}
