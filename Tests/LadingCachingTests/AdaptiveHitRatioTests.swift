import Testing

@testable import LadingCaching

/// Tests of the hit ratio compared with the best single algorithm.
@Suite struct AdaptiveHitRatioTests {
    private static let size = 200
    private static let traces: [(String, [UInt64])] = [
        ("loop", SyntheticTrace.loop(length: 301, rounds: 40)), ("zigzag", SyntheticTrace.zigzag(length: 300, rounds: 40)),
        ("scans", SyntheticTrace.scans(seed: 1)), ("drift", SyntheticTrace.drift(seed: 2)), ("twice", SyntheticTrace.shortReuse()),
        ("twice, far apart", SyntheticTrace.longReuse(size: size, seed: 5)),
        ("pools", SyntheticTrace.pools(seed: 3)), ("phases", SyntheticTrace.phases(seed: 4)),
    ]

    @Test func `The cache stays within 3 points of the best algorithm, and no single algorithm does`() {
        var worst: [EvictionAlgorithm: Double] = [:]

        for (name, trace) in Self.traces {
            let ratios = EvictionAlgorithm.allCases.map { hits(trace, by: $0) }
            let best = ratios.max() ?? 0
            let ours = hits(trace)

            #expect(ours >= best - 3, "\(name): \(ours) where the best rule has \(best)")
            for (rule, ratio) in zip(EvictionAlgorithm.allCases, ratios) { worst[rule] = max(worst[rule] ?? 0, best - ratio) }
        }

        #expect(worst.values.allSatisfy { $0 > 3 }, "\(worst)")
    }

    @Test func `A large cache follows the best algorithm through long runs of hits`() {
        let (size, trace) = (5_000, SyntheticTrace.zigzag(length: 7_500, rounds: 12))

        #expect(hits(trace, size: size) >= hits(trace, by: .lru, size: size) - 4)
    }

    @Test func `A run of hits is recorded up to twice the number of entries`() {
        var controller = EvictionController(limit: Weight(cost: 10_000, count: 10_000))
        for key in 0..<10_000 { _ = controller.store(SyntheticTrace.hash(UInt64(key)), cost: 1) }

        var recordedCount = 0
        while controller.recordsHits, recordedCount < 30_000 {
            controller.recordHits([
                HitRing.Hit(sequenceNumber: UInt64(recordedCount), hash: SyntheticTrace.hash(UInt64(recordedCount % 10_000)))
            ])
            recordedCount += 1
        }

        #expect((15_000...20_000).contains(recordedCount))
    }

    private func hits(_ trace: [UInt64], by rule: EvictionAlgorithm, size: Int = size) -> Double {
        var policy = rule.makePolicy(limit: Weight(cost: size, count: size))
        var evicted: [UInt64] = []
        let hits = trace.count { key in
            evicted.removeAll(keepingCapacity: true)
            return policy.access(key, cost: 1, evicted: &evicted)
        }
        return 100 * Double(hits) / Double(trace.count)
    }

    private func hits(_ trace: [UInt64], size: Int = size) -> Double {
        let cache = MemoryCache<UInt64, Bool>(costLimit: size)
        for key in trace where cache.value(for: key) == nil { cache.store(true, for: key) }
        return 100 * cache.statistics.hitRatio
    }
}
