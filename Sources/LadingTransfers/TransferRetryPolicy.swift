import LadingHTTP

/// The delays between the attempts at a transfer, and their maximum number.
public struct TransferRetryPolicy: Sendable {
    package var attempts: Int
    package var base: Duration
    package var cap: Duration

    /// Creates the policy.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of consecutive attempts without progress.
    ///   - base: The maximum delay before the second attempt; it doubles with each further one.
    ///   - cap: The upper bound of all delays, including those that a server requests.
    public init(attempts: Int = 10, base: Duration = .milliseconds(500), cap: Duration = .seconds(30)) {
        precondition(attempts >= 1 && base > .zero && cap >= base, "attempts and delays must be positive, and the cap at least the base")
        self.attempts = attempts
        self.base = base
        self.cap = cap
    }

    /// Returns the delay after a number of consecutive failures; nil when no attempt remains.
    ///
    /// - Parameters:
    ///   - retryAfter: The delay that the server requested.
    ///   - jitter: A number in 0..<1: the fraction of the maximum delay that is waited (full jitter), so that clients do not retry in step.
    package func delay(after failures: Int, retryAfter: Duration?, jitter: Double) -> Duration? {
        guard failures < attempts else { return nil }
        let backoff = ExponentialBackoff(base: base, cap: cap).maximumDelay(after: failures) * jitter
        // The larger of both: the cap bounds the delays of servers, too.
        return max(backoff, min(retryAfter ?? .zero, cap))
    }
}
