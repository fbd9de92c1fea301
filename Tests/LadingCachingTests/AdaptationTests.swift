import Testing

@testable import LadingCaching

/// How near the cache comes to the best of all rules, each playing alone.
@Suite struct AdaptationTests {
    private static let size = 200
    private static let traces: [(String, [UInt64])] = [
        ("loop", SyntheticTrace.loop(length: 301, turns: 40)), ("zigzag", SyntheticTrace.zigzag(length: 300, turns: 40)),
        ("scans", SyntheticTrace.scans(seed: 1)), ("drift", SyntheticTrace.drift(seed: 2)), ("twice", SyntheticTrace.twice()),
        ("twice, far apart", SyntheticTrace.twiceFarApart(size: size, seed: 5)),
        ("pools", SyntheticTrace.pools(seed: 3)), ("phases", SyntheticTrace.phases(seed: 4)),
    ]

    @Test func `It is never more than 3 points behind the best rule, and no rule alone does that`() {
        var worst: [EvictionRule: Double] = [:]

        for (name, trace) in Self.traces {
            let ratios = EvictionRule.allCases.map { hits(trace, by: $0) }
            let best = ratios.max() ?? 0
            let ours = hits(trace)

            #expect(ours >= best - 3, "\(name): \(ours) where the best rule has \(best)")
            for (rule, ratio) in zip(EvictionRule.allCases, ratios) { worst[rule] = max(worst[rule] ?? 0, best - ratio) }
        }

        #expect(worst.values.allSatisfy { $0 > 3 }, "\(worst)")
    }

    @Test func `A large cache follows the best rule through long runs of hits`() {
        let (size, trace) = (5_000, SyntheticTrace.zigzag(length: 7_500, turns: 12))

        #expect(hits(trace, size: size) >= hits(trace, by: .lru, size: size) - 4)
    }

    @Test func `A run of hits is told as far as a cache is long`() {
        var keeper = Keeper(limit: Load(cost: 10_000, count: 10_000))
        for key in 0..<10_000 { _ = keeper.store(SyntheticTrace.hash(UInt64(key)), cost: 1) }

        var told = 0
        while keeper.isListening, told < 30_000 {
            keeper.use([UseRing.Use(stamp: UInt64(told), hash: SyntheticTrace.hash(UInt64(told % 10_000)))])
            told += 1
        }

        #expect((15_000...20_000).contains(told))
    }

    private func hits(_ trace: [UInt64], by rule: EvictionRule, size: Int = size) -> Double {
        var policy = rule.policy(limit: Load(cost: size, count: size))
        var released: [UInt64] = []
        let hits = trace.count { key in
            released.removeAll(keepingCapacity: true)
            return policy.use(key, cost: 1, released: &released)
        }
        return 100 * Double(hits) / Double(trace.count)
    }

    private func hits(_ trace: [UInt64], size: Int = size) -> Double {
        let cache = MemoryCache<UInt64, Bool>(costLimit: size)
        for key in trace where cache.value(for: key) == nil { cache.store(true, for: key) }
        return 100 * cache.statistics.hitRatio
    }
}
