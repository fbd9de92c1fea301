/// The bounds of an outbox.
public struct OutboxLimits: Hashable, Sendable {
    /// How many entries wait at most.
    public var entries: Int
    /// The longest request that is kept, its URL, header fields and body together, in bytes.
    public var requestSize: Int
    /// The longest body of a reply, in bytes.
    public var responseSize: Int
    /// How many entries that have ended are remembered.
    public var receipts: Int
    /// How much is remembered of a reply, in bytes.
    public var responsePrefixSize: Int
    /// How old an entry may become: servers remember a key for about as long.
    public var age: Duration
    /// How long one request may take.
    public var requestTimeout: Duration
    /// The longest wait after the first failure; it doubles with each further one in a row.
    public var base: Duration
    /// The longest wait that doubling leads to.
    public var cap: Duration
    /// The shortest wait after a failure.
    public var minimumDelay: Duration
    /// The longest wait that a server may ask for; when it asks for a longer one, it gets this.
    public var retryAfterLimit: Duration
    /// How many attempts the entries behind one wait for that the server answers and does not take; after these, those about other subjects pass it.
    public var maximumBlockingAttempts: Int

    public init(
        entries: Int = 1_000, requestSize: Int = 64 << 10, responseSize: Int = 64 << 10, receipts: Int = 1_000, responsePrefixSize: Int = 4 << 10,
        age: Duration = .seconds(14 * 86_400), requestTimeout: Duration = .seconds(30), base: Duration = .seconds(1), cap: Duration = .seconds(300),
        minimumDelay: Duration = .seconds(1), retryAfterLimit: Duration = .seconds(3_600), maximumBlockingAttempts: Int = 5
    ) {
        precondition(entries >= 1 && receipts >= 0 && maximumBlockingAttempts >= 1, "there is room for an entry, and it is attempted")
        precondition(minimumDelay > .zero && base > .zero && cap >= base, "an outbox pauses after a failure")
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
    }

    /// More often the wait is not doubled; no cap is as far away as that.
    private static let doublingLimit = 20

    /// The rest after so many failures in a row.
    ///
    /// - Parameters:
    ///   - error: What failed; nil when an attempt was only broken off.
    ///   - wish: How long the server asked to be left alone.
    ///   - luck: A number drawn evenly from 0..<1: the share of the longest wait that is waited (full jitter).
    func backoff(after failures: Int, _ error: (any Error)?, retryAfter: Duration?, jitter: Double, at now: Duration) -> OutboxBackoff {
        let longest = min(cap, base * (1 << min(max(failures - 1, 0), Self.doublingLimit)))
        let wish = min(retryAfter ?? .zero, retryAfterLimit)
        return OutboxBackoff(
            minimumEnd: now + max(minimumDelay, wish), end: now + max(minimumDelay, wish + longest * jitter), start: now, error: error)
    }
}

/// A pause after a failure.
struct OutboxBackoff: Sendable {
    /// Before this it does not end, whoever is in a hurry.
    var minimumEnd: Duration
    var end: Duration
    var start: Duration
    /// What failed; nil when an attempt was only broken off.
    var error: (any Error)?

    var delayReason: OutboxDelayReason { error.map { .retry($0, after: end - start) } ?? .queued }

    /// Ends it as soon as it may end.
    mutating func shorten() { end = min(end, minimumEnd) }
}
