/// Decides how long a transfer waits before it tries again, and when it gives up.
public struct TransferRetryPolicy: Sendable {
    /// The most attempts in a row without a byte moved; after as many failures a transfer is given up.
    public var attempts: Int
    /// The longest wait before the second attempt; it doubles with each further one.
    public var base: Duration
    /// The longest wait of all; a server that asks for a longer one gets this.
    public var cap: Duration

    public init(attempts: Int = 10, base: Duration = .milliseconds(500), cap: Duration = .seconds(30)) {
        precondition(attempts >= 1 && base > .zero && cap >= base, "a transfer is attempted at least once")
        self.attempts = attempts
        self.base = base
        self.cap = cap
    }

    /// How long to wait after this many failures in a row; nil gives up.
    ///
    /// - Parameters:
    ///   - wish: How long the server asked to be left alone.
    ///   - luck: From 0 up to 1: the share of the longest wait that is waited (full jitter), so that not all come back at once.
    func delay(after failures: Int, retryAfter: Duration?, jitter: Double) -> Duration? {
        guard failures < attempts else { return nil }
        let longest = min(cap, base * (1 << min(failures - 1, 20)))
        return max(longest * jitter, min(retryAfter ?? .zero, cap))
    }
}
