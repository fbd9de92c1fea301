import LadingTesting
import Testing

@testable import LadingCaching

@Suite struct EvictionPolicyTests {
    @Test(arguments: TestSeeds.seeds(count: 5)) func `LRU holds the same keys as a plain list`(seed: UInt64) {
        compare(LRUPolicy.self, with: LRUOracle.self, seed: seed)
    }

    @Test(arguments: TestSeeds.seeds(count: 5)) func `2Q holds the same keys as plain lists`(seed: UInt64) {
        compare(TwoQueuePolicy.self, with: TwoQueueOracle.self, seed: seed)
    }

    @Test(arguments: TestSeeds.seeds(count: 5)) func `S3-FIFO holds the same keys as plain lists`(seed: UInt64) {
        compare(S3FIFOPolicy.self, with: S3FIFOOracle.self, seed: seed)
    }

    @Test(arguments: TestSeeds.seeds(count: 5)) func `LIRS holds the same keys as plain lists`(seed: UInt64) {
        compare(LIRSPolicy.self, with: LIRSOracle.self, seed: seed)
    }

    @Test(arguments: TestSeeds.seeds(count: 5)) func `ARC holds the same keys as plain lists`(seed: UInt64) {
        compare(ARCPolicy.self, with: ARCOracle.self, seed: seed)
    }

    private func compare<Policy: EvictionPolicy, Plain: Oracle>(_: Policy.Type, with _: Plain.Type, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for size in [1, 2, 3, 10, 40] {
            var policy = Policy(limit: Weight(cost: size, count: size))
            var oracle = Plain(size: size)
            var evicted: [UInt64] = []

            for step in 0..<1_200 {
                // Random keys alternate with a loop slightly longer than the cache.
                let key = step / 100 % 2 == 0 ? random.next() % UInt64(2 * size + 2) : UInt64(step % (size + size / 4 + 1))
                let wasHeld = oracle.residentKeys.contains(key)
                let isHit = policy.access(key, cost: 1, evicted: &evicted)
                oracle.access(key)

                let held = Set((0...UInt64(2 * size + 2)).filter(policy.contains))
                guard isHit == wasHeld, held == oracle.residentKeys else {
                    Issue.record(
                        "LADING_SEED=\(seed), size \(size), step \(step): \(held.sorted()) instead of \(oracle.residentKeys.sorted())")
                    return
                }
            }
        }
    }

    // A scan past a hot pair of keys, in a cache of three.
    @Test(
        arguments: [
            (EvictionAlgorithm.lru, [1, 1, 2, 2, 3, 4, 5], [3, 4, 5]),
            (.lirs, [1, 1, 2, 2, 3, 4, 5], [1, 2, 5]),
            (.s3fifo, [1, 1, 2, 2, 3, 4, 5], [2, 4, 5]),
            (.twoQueue, [1, 1, 2, 2, 3, 4, 5], [3, 4, 5]),
            (.tinyLFU, [1, 1, 2, 2, 3, 4, 5], [1, 2, 5]),
            (.arc, [1, 1, 2, 2, 3, 4, 5], [2, 4, 5]),
        ] as [(EvictionAlgorithm, [UInt64], [UInt64])])
    func `Each algorithm holds the expected keys after a flood of new ones`(rule: EvictionAlgorithm, uses: [UInt64], held: [UInt64]) {
        var policy = rule.makePolicy(limit: Weight(cost: 3, count: 3))
        var evicted: [UInt64] = []

        for key in uses { _ = policy.access(key, cost: 1, evicted: &evicted) }

        #expect((1...5).filter(policy.contains) == held)
    }

    @Test(arguments: EvictionAlgorithm.allCases, TestSeeds.seeds(count: 3))
    func `Costs never exceed the limit, and each evicted key is reported once`(rule: EvictionAlgorithm, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = Weight(cost: 100, count: 12)
        var policy = rule.makePolicy(limit: limit)
        var held: [UInt64: Int] = [:]

        for step in 0..<1_500 {
            let key = random.next() % 60
            let cost = (Int(key % 9) + 1) * (key % 20 == 0 ? 11 : 3) + Int(random.next() % 8 == 0 ? 1 : 0)
            var evicted: [UInt64] = []
            switch random.next() % 12 {
            case 0:
                policy.remove(key)
                held[key] = nil
            case 1:
                let key = policy.evict()
                #expect((key == nil) == held.isEmpty)
                if let key { #expect(held.removeValue(forKey: key) != nil) }
            default:
                #expect(policy.access(key, cost: cost, evicted: &evicted) == (held[key] == cost))
                held[key] = cost
                for key in evicted { #expect(held.removeValue(forKey: key) != nil) }
            }
            #expect(held.values.reduce(0, +) <= limit.cost && held.count <= limit.count)
            guard (0..<60).allSatisfy({ policy.contains($0) == (held[$0] != nil) }) else {
                Issue.record("LADING_SEED=\(seed), step \(step)")
                return
            }
        }
    }
}
