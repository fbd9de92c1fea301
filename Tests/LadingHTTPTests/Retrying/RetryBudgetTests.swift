import LadingTesting
import Testing

@testable import LadingHTTP

@Suite struct RetryBudgetTests {
    /// Returns the number of granted retries, each of which is sent.
    private func granted(_ budget: inout RetryBudget, of count: Int, at now: Duration) -> Int {
        (0..<count).count { _ in
            guard budget.tryConsume(at: now) else { return false }
            budget.recordRequest(at: now)
            return true
        }
    }

    @Test func `Retries up to the capacity are granted at once`() {
        var budget = RetryBudget(RetryBudgetLimits(retryRatio: 0, retriesPerSecond: 0, capacity: 5), at: .zero)

        #expect(granted(&budget, of: 100, at: .zero) == 5)
    }

    @Test(arguments: [0, 0.99]) func `A capacity below 1 grants no retries`(capacity: Double) {
        var budget = RetryBudget(RetryBudgetLimits(capacity: capacity), at: .zero)
        for _ in 0..<80 { budget.recordRequest(at: .zero) }

        #expect(granted(&budget, of: 100, at: .seconds(100)) == 0)
    }

    @Test func `Each request adds the retry ratio`() {
        var budget = RetryBudget(RetryBudgetLimits(retryRatio: 0.25, retriesPerSecond: 0, capacity: 50), at: .zero)
        _ = granted(&budget, of: 100, at: .zero)

        for _ in 0..<80 { budget.recordRequest(at: .zero) }

        #expect(granted(&budget, of: 100, at: .zero) == 20)
    }

    @Test func `Retries add no tokens`() {
        var budget = RetryBudget(RetryBudgetLimits(retryRatio: 0.5, retriesPerSecond: 0, capacity: 60), at: .zero)
        _ = granted(&budget, of: 100, at: .zero)
        for _ in 0..<100 { budget.recordRequest(at: .zero) }

        #expect(granted(&budget, of: 1_000, at: .zero) == 50)
        #expect(granted(&budget, of: 1_000, at: .zero) == 0)
    }

    @Test func `The budget is refilled with time when there are few requests`() {
        var budget = RetryBudget(RetryBudgetLimits(retryRatio: 0, retriesPerSecond: 2, capacity: 5), at: .seconds(100))
        _ = granted(&budget, of: 100, at: .seconds(100))

        #expect(granted(&budget, of: 100, at: .seconds(101)) == 2)
        #expect(granted(&budget, of: 100, at: .seconds(101.4)) == 0)
        #expect(granted(&budget, of: 100, at: .seconds(101.5)) == 1)
        #expect(granted(&budget, of: 100, at: .seconds(1_000)) == 5)
    }

    @Test func `An older clock reading adds no tokens`() {
        var budget = RetryBudget(RetryBudgetLimits(retryRatio: 0, retriesPerSecond: 1, capacity: 5), at: .seconds(10))
        _ = granted(&budget, of: 100, at: .seconds(10))

        #expect(granted(&budget, of: 1, at: .seconds(9)) == 0)
        #expect(granted(&budget, of: 2, at: .seconds(11)) == 1)
    }

    @Test(arguments: TestSeeds.seeds(count: 20)) func `Retries stay within the ratio, the rate and the capacity`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limits = RetryBudgetLimits(
            retryRatio: .random(in: 0...1, using: &random), retriesPerSecond: .random(in: 0...5, using: &random),
            capacity: .random(in: 1...30, using: &random))
        var budget = RetryBudget(limits, at: .zero)
        var now = Duration.zero
        var (firsts, retries) = (0, 0)
        var excess: [Double] = []

        for _ in 0..<2_000 {
            now += .milliseconds(Int.random(in: 0...50, using: &random))
            if Bool.random(using: &random) {
                budget.recordRequest(at: now)
                firsts += 1
            } else if budget.tryConsume(at: now) {
                budget.recordRequest(at: now)
                retries += 1
            }
            let allowance = limits.capacity + limits.retryRatio * Double(firsts) + limits.retriesPerSecond * (now / .seconds(1))
            if Double(retries) > allowance + 0.001 { excess.append(Double(retries) - allowance) }
        }

        #expect(excess == [], "LADING_SEED=\(seed)")
        #expect(retries > 0, "LADING_SEED=\(seed)")
    }
}
