/// The bound of a delay after failures in a row, which doubles with each of them up to a cap.
///
/// Clients wait a random fraction of it (full jitter), so that those that failed together do not retry together.
package struct ExponentialBackoff: Sendable {
    /// The maximum number of doublings, which exceeds any reasonable cap.
    private static let doublingLimit = 30

    private let base: Duration
    private let cap: Duration

    /// Creates a backoff.
    ///
    /// - Parameters:
    ///   - base: The bound after the first failure.
    ///   - cap: The limit of the doubled bound.
    package init(base: Duration, cap: Duration) {
        self.base = base
        self.cap = cap
    }

    /// Returns the maximum delay after a number of consecutive failures.
    package func maximumDelay(after failures: Int) -> Duration {
        min(cap, base * (1 << min(max(failures - 1, 0), Self.doublingLimit)))
    }
}
