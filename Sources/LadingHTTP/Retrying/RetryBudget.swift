/// Decides how many retries one host is asked to bear: a share of the requests it is sent, and a trickle when these are few.
///
/// Without it, clients that retry multiply the load on a server that fails because it has too much of it. It is a bucket of tokens, as in
/// Finagle (`RetryBudget`) and gRPC (proposal A6, "Throttling Retry Attempts"): requests fill it, a retry takes one out.
///
/// Times are those that have gone by since some moment, the same for all calls.
struct RetryBudget: Sendable {
    private let limits: RetryBudgetLimits
    private var tokens: Double
    private var lastRefill: Duration
    /// Retries that were granted, less the requests since then that paid nothing.
    ///
    /// One that is cancelled, or held back by the circuit, lets another request pay nothing: the budget errs on the side of fewer retries.
    private var unpaidRetries = 0

    init(_ limits: RetryBudgetLimits, at now: Duration) {
        self.limits = limits
        tokens = limits.capacity
        lastRefill = now
    }

    /// A request is sent. As many as there are retries count as these, and pay for nothing: only first attempts pay for retries.
    mutating func deposit(at now: Duration) {
        refill(until: now)
        if unpaidRetries > 0 { unpaidRetries -= 1 } else { add(limits.retryRatio) }
    }

    /// Takes out what a retry costs, and says whether there was enough.
    mutating func tryWithdraw(at now: Duration) -> Bool {
        refill(until: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        unpaidRetries += 1
        return true
    }

    private mutating func refill(until now: Duration) {
        guard now > lastRefill else { return }
        add(limits.retriesPerSecond * ((now - lastRefill) / .seconds(1)))
        lastRefill = now
    }

    private mutating func add(_ count: Double) { tokens = min(limits.capacity, tokens + count) }
}

/// How many retries a host is asked to bear.
public struct RetryBudgetLimits: Hashable, Sendable {
    /// Retries for each request that is no retry itself.
    public var retryRatio: Double
    /// Retries a second beyond that.
    public var retriesPerSecond: Double
    /// The most that can be saved up, in retries; it is there from the beginning. Less than 1 grants none.
    public var capacity: Double

    public init(retryRatio: Double = 0.2, retriesPerSecond: Double = 1, capacity: Double = 20) {
        precondition(retryRatio >= 0 && retriesPerSecond >= 0 && capacity >= 0, "no budget is negative")
        self.retryRatio = retryRatio
        self.retriesPerSecond = retriesPerSecond
        self.capacity = capacity
    }
}
