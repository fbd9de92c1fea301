import LadingHTTP

/// The limits of an outbox.
public struct OutboxLimits: Hashable, Sendable {
    package var entries: Int
    package var requestSize: Int
    package var responseSize: Int
    package var receipts: Int
    package var responsePrefixSize: Int
    package var age: Duration
    package var requestTimeout: Duration
    package var base: Duration
    package var cap: Duration
    package var minimumDelay: Duration
    package var retryAfterLimit: Duration
    package var maximumBlockingAttempts: Int
    package var redirects: Int
    package var rejectionStatuses: Set<Int>

    /// The statuses that refuse a write permanently unless others are chosen: 300–499, except redirects to pages for signing in (301, 302), missing
    /// authentication (401, 407), timeouts (408), conflicts (409, 423), early data (425) and rate limits (429).
    public static let standardRejectionStatuses = Set(300..<500).subtracting([301, 302, 401, 407, 408, 409, 423, 425, 429])

    /// Creates the limits.
    ///
    /// - Parameters:
    ///   - entries: The maximum number of pending entries.
    ///   - requestSize: The maximum size of a stored request: its URL, header fields and body together, in bytes.
    ///   - responseSize: The maximum size of a response body, in bytes.
    ///   - receipts: The maximum number of receipts of ended entries.
    ///   - responsePrefixSize: The number of bytes of a response body that a receipt stores.
    ///   - age: The maximum age of an entry; servers remember a key for about as long.
    ///   - requestTimeout: The time limit of one request.
    ///   - base: The maximum delay after the first failure; it doubles with each further one in a row.
    ///   - cap: The upper bound of the doubled delay.
    ///   - minimumDelay: The minimum delay after a failure.
    ///   - retryAfterLimit: The upper bound of a delay that a server requests.
    ///   - maximumBlockingAttempts: The number of attempts that the server answers without accepting the entry, after which entries about other
    ///     subjects pass it.
    ///   - redirects: The maximum number of redirects of one request; with more, it has failed and is retried. A 302, or a
    ///     301 of a POST, that leads to another path or query is not followed: it is the response to the write.
    ///   - rejectionStatuses: The statuses that refuse a write permanently. It is retried after all others but 200–299.
    public init(
        entries: Int = 1_000, requestSize: Int = 64 << 10, responseSize: Int = 64 << 10, receipts: Int = 1_000,
        responsePrefixSize: Int = 4 << 10,
        age: Duration = .seconds(14 * 86_400), requestTimeout: Duration = .seconds(30), base: Duration = .seconds(1),
        cap: Duration = .seconds(300),
        minimumDelay: Duration = .seconds(1), retryAfterLimit: Duration = .seconds(3_600), maximumBlockingAttempts: Int = 5,
        redirects: Int = 5, rejectionStatuses: Set<Int> = standardRejectionStatuses
    ) {
        precondition(entries >= 1 && receipts >= 0 && maximumBlockingAttempts >= 1, "the limits of an outbox must be positive")
        precondition(
            minimumDelay > .zero && base > .zero && cap >= base,
            "the retry delays of an outbox must be positive, and the cap at least the base")
        self.entries = entries
        self.requestSize = requestSize
        self.responseSize = responseSize
        self.receipts = receipts
        self.responsePrefixSize = responsePrefixSize
        self.age = age
        self.requestTimeout = requestTimeout
        self.base = base
        self.cap = cap
        self.minimumDelay = minimumDelay
        self.retryAfterLimit = retryAfterLimit
        self.maximumBlockingAttempts = maximumBlockingAttempts
        self.redirects = redirects
        self.rejectionStatuses = rejectionStatuses
    }

    /// Returns the backoff after a number of consecutive failures.
    ///
    /// - Parameters:
    ///   - retryAfter: The delay that the server requested.
    ///   - jitter: A uniformly distributed number in 0..<1: the fraction of the maximum delay that is waited (full jitter).
    func backoff(after failures: Int, _ error: any Error, retryAfter: Duration?, jitter: Double, at now: Duration) -> OutboxBackoff {
        let backoff = ExponentialBackoff(base: base, cap: cap).maximumDelay(after: failures) * jitter
        let requestedDelay = min(retryAfter ?? .zero, retryAfterLimit)
        // Added as by `RetryPolicy`; a requested retry omits the backoff, never the delay of the server.
        return OutboxBackoff(
            minimumEnd: now + max(minimumDelay, requestedDelay), end: now + max(minimumDelay, requestedDelay + backoff),
            start: now, error: error)
    }

    /// Returns the backoff after an interrupted attempt: the minimum delay.
    func backoffAfterInterruption(at now: Duration) -> OutboxBackoff {
        OutboxBackoff(minimumEnd: now + minimumDelay, end: now + minimumDelay, start: now)
    }
}

/// A delay after a failure.
struct OutboxBackoff: Sendable {
    /// The earliest end, even if a retry is requested.
    var minimumEnd: Duration
    var end: Duration
    var start: Duration
    /// The failure; nil for an interrupted attempt.
    var error: (any Error)?

    var delayReason: OutboxDelayReason { error.map { .retry($0, after: end - start) } ?? .queued }

    /// Shortens the backoff to its minimum.
    mutating func reduce() { end = min(end, minimumEnd) }
}
