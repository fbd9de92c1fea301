package import Foundation
import HTTPFieldValues
import HTTPTypes

/// A policy that decides whether a failed request is retried, and after which delay.
///
/// The delay is drawn from zero up to a bound that doubles with every attempt (exponential backoff with full jitter), so that clients that failed
/// together do not retry together. It is added to the delay that the server requests (`Retry-After`).
public struct RetryPolicy: Hashable, Sendable {
    package var attempts: Int
    package var base: Duration
    package var cap: Duration
    package var retryAfterLimit: Duration

    /// Creates the policy.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts at one request, including the first; 1 retries nothing.
    ///   - base: The maximum delay after the first attempt; it doubles with each further one.
    ///   - cap: The limit of the doubled delay.
    ///   - retryAfterLimit: The maximum delay that a server may request; a longer one ends the retries.
    public init(
        attempts: Int = 4, base: Duration = .milliseconds(500), cap: Duration = .seconds(10), retryAfterLimit: Duration = .seconds(60)
    ) {
        precondition(attempts >= 1, "a retry policy needs at least one attempt")
        precondition(min(base, cap) >= .zero, "the delays of a retry policy must not be negative")
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.retryAfterLimit = retryAfterLimit
    }

    /// Returns the delay before the next attempt; nil when there is none.
    ///
    /// - Parameters:
    ///   - error: The error of the last attempt.
    ///   - attempt: The number of attempts so far, including the last.
    ///   - now: The time of day, for a server that sends a `Retry-After` date without a `Date`.
    ///   - jitter: A random number in 0..<1.
    package func delay(
        after error: any Error, attempt: Int, for message: RequestMessage, now: Date, jitter: Double
    ) -> Duration? {
        guard attempt < attempts, message.isIdempotent, let pause = retryAfter(for: error, now: now), pause <= retryAfterLimit else {
            return nil
        }
        // Added: clients that were sent the same delay do not retry together.
        return pause + ExponentialBackoff(base: base, cap: cap).maximumDelay(after: attempt) * jitter
    }

    /// The statuses of transient failures.
    package static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Returns the delay that the server requests, zero without one; nil for an error that another attempt would repeat.
    private func retryAfter(for error: any Error, now: Date) -> Duration? {
        switch error {
        case BackendError.unreachable, BackendError.timedOut, BackendError.interrupted: .zero
        case BackendError.status(let status, _, let response) where Self.transientStatuses.contains(status):
            response.headers.retryAfter(now: now) ?? .zero
        case let failure as BearerTokenInterceptor.Failure: self.retryAfter(for: failure.cause, now: now)
        default: nil
        }
    }
}

extension RequestMessage {
    /// Whether a request may be sent twice: its method is idempotent (RFC 9110 §9.2.2), or it has an idempotency key.
    var isIdempotent: Bool {
        let idempotent: [HTTPRequest.Method] = [.get, .head, .options, .trace, .put, .delete]
        return idempotent.contains(method) || headers[.idempotencyKey] != nil
    }
}
