public import Foundation
import HTTPTypes

/// Decides whether a request that failed is worth another attempt, and how long to wait before it.
///
/// The wait is drawn from zero up to a bound that doubles with every attempt (exponential backoff with full jitter), so that clients that
/// failed together do not come back together. A pause that the server asked for (`Retry-After`) is kept in full before that.
public struct RetryPolicy: Hashable, Sendable {
    /// The most attempts at one request, the first included; 1 repeats nothing.
    public var attempts: Int
    /// The longest wait after the first attempt; it doubles with each further one.
    public var base: Duration
    /// The longest wait that doubling leads to.
    public var cap: Duration
    /// The longest pause that a server may ask for; when it asks for a longer one, the request is given up.
    public var retryAfterLimit: Duration

    public init(
        attempts: Int = 4, base: Duration = .milliseconds(500), cap: Duration = .seconds(10), retryAfterLimit: Duration = .seconds(60)
    ) {
        precondition(attempts >= 1 && base >= .zero && cap >= .zero, "a request is attempted once, and no wait is negative")
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.retryAfterLimit = retryAfterLimit
    }

    /// How long to wait before the next attempt; nil when there should be none.
    ///
    /// - Parameters:
    ///   - error: Why the last attempt failed.
    ///   - attempt: How many attempts there have been, that one included.
    ///   - now: The time of day, for a server that tells a date but not what time it has itself.
    ///   - jitter: A number drawn evenly from 0..<1.
    public func delay(
        after error: any Error, attempt: Int, for message: RequestMessage, now: Date, jitter: Double
    ) -> Duration? {
        guard attempt < attempts, message.isIdempotent, let pause = retryAfter(for: error, now: now), pause <= retryAfterLimit else {
            return nil
        }
        return pause + backoff(after: attempt) * jitter
    }

    /// The longest wait after this many attempts, without what the server asked for.
    func backoff(after attempt: Int) -> Duration {
        min(cap, base * (1 << min(max(attempt - 1, 0), Self.doublingLimit)))
    }

    /// More often the bound is not doubled; no cap is as far away as that.
    private static let doublingLimit = 30

    /// The statuses that may be another one next time.
    static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// How long the server wants to be left alone; nil when another attempt would end in the same way.
    private func retryAfter(for error: any Error, now: Date) -> Duration? {
        switch error {
        case BackendError.unreachable, BackendError.timedOut, BackendError.interrupted: .zero
        case BackendError.status(let status, _, let headers) where Self.transientStatuses.contains(status):
            headers.retryAfter(now: now) ?? .zero
        case let failure as BearerTokenInterceptor.Failure: self.retryAfter(for: failure.cause, now: now)
        default: nil
        }
    }
}

extension RequestMessage {
    /// Whether sending it twice means the same as sending it once: its method says so (RFC 9110 §9.2.2), or a key lets the server tell.
    var isIdempotent: Bool {
        let idempotent: [HTTPRequest.Method] = [.get, .head, .options, .trace, .put, .delete]
        return idempotent.contains(method) || headers[.idempotencyKey] != nil
    }
}

extension HTTPField.Name {
    /// Names a request, so that a server which receives it twice acts once (draft-ietf-httpapi-idempotency-key-header).
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
