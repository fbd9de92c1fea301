/// The budget of retries of one host: a share of the requests it is sent, and a small rate when these are few.
///
/// Without it, clients that retry multiply the load on an overloaded server. It is a token bucket, as in Finagle (`RetryBudget`) and gRPC (proposal
/// A6, "Throttling Retry Attempts"): requests fill it, a retry consumes one token.
///
/// All times are measured from the same starting point.
struct RetryBudget: Sendable {
    private let limits: RetryBudgetLimits
    private var tokens: Double
    private var lastRefill: Duration
    /// The number of granted retries, less the requests since then that added nothing.
    ///
    /// When a granted retry is cancelled or rejected by the circuit breaker, another request adds nothing: the budget errs on the side of fewer
    /// retries.
    private var pendingRetries = 0

    init(_ limits: RetryBudgetLimits, at now: Duration) {
        self.limits = limits
        tokens = limits.capacity
        lastRefill = now
    }

    /// Records a sent request. Only first attempts add tokens: as many requests as there were granted retries add nothing.
    mutating func recordRequest(at now: Duration) {
        refill(until: now)
        if pendingRetries > 0 { pendingRetries -= 1 } else { add(limits.retryRatio) }
    }

    /// Consumes the token of a retry, and returns whether the budget was sufficient.
    mutating func tryConsume(at now: Duration) -> Bool {
        refill(until: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        pendingRetries += 1
        return true
    }

    private mutating func refill(until now: Duration) {
        guard now > lastRefill else { return }
        add(limits.retriesPerSecond * ((now - lastRefill) / .seconds(1)))
        lastRefill = now
    }

    private mutating func add(_ count: Double) { tokens = min(limits.capacity, tokens + count) }
}

/// The limits of a retry budget.
public struct RetryBudgetLimits: Hashable, Sendable {
    package var retryRatio: Double
    package var retriesPerSecond: Double
    package var capacity: Double

    /// Creates the limits.
    ///
    /// - Parameters:
    ///   - retryRatio: The number of retries per first attempt.
    ///   - retriesPerSecond: The number of further retries per second.
    ///   - capacity: The maximum number of saved retries, which are available from the beginning. Less than 1 grants none.
    public init(retryRatio: Double = 0.2, retriesPerSecond: Double = 1, capacity: Double = 20) {
        precondition([retryRatio, retriesPerSecond, capacity].allSatisfy { $0 >= 0 }, "the limits of a budget must not be negative")
        self.retryRatio = retryRatio
        self.retriesPerSecond = retriesPerSecond
        self.capacity = capacity
    }
}
