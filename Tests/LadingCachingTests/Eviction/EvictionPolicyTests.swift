import LadingTesting
import Testing

@testable import LadingCaching

@Suite struct EvictionPolicyTests {
    @Test(arguments: Seeds.several(5)) func `LRU holds what a plain list would`(seed: UInt64) {
        compare(LRUPolicy.self, with: LRUOracle.self, seed: seed)
    }

    @Test(arguments: Seeds.several(5)) func `2Q holds what plain lists would`(seed: UInt64) {
        compare(TwoQueuePolicy.self, with: TwoQueueOracle.self, seed: seed)
    }

    @Test(arguments: Seeds.several(5)) func `S3-FIFO holds what plain lists would`(seed: UInt64) {
        compare(S3FIFOPolicy.self, with: S3FIFOOracle.self, seed: seed)
    }

    @Test(arguments: Seeds.several(5)) func `LIRS holds what plain lists would`(seed: UInt64) {
        compare(LIRSPolicy.self, with: LIRSOracle.self, seed: seed)
    }

    @Test(arguments: Seeds.several(5)) func `ARC holds what plain lists would`(seed: UInt64) {
        compare(ARCPolicy.self, with: ARCOracle.self, seed: seed)
    }

    private func compare<Policy: EvictionPolicy, Plain: Oracle>(_: Policy.Type, with _: Plain.Type, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for size in [1, 2, 3, 10, 40] {
            var policy = Policy(limit: Load(cost: size, count: size))
            var oracle = Plain(size: size)
            var released: [UInt64] = []

            for step in 0..<1_200 {
                // Now any of them, now a loop a little longer than the size.
                let key = step / 100 % 2 == 0 ? random.next() % UInt64(2 * size + 2) : UInt64(step % (size + size / 4 + 1))
                let wasHeld = oracle.held.contains(key)
                let isHit = policy.use(key, cost: 1, released: &released)
                oracle.use(key)

                let held = Set((0...UInt64(2 * size + 2)).filter(policy.holds))
                guard isHit == wasHeld, held == oracle.held else {
                    Issue.record("LADING_SEED=\(seed), size \(size), step \(step): \(held.sorted()) instead of \(oracle.held.sorted())")
                    return
                }
            }
        }
    }

    /// A key that comes and is used once, among a hot pair, in a cache of three.
    @Test(
        arguments: [
            (EvictionRule.lru, [1, 1, 2, 2, 3, 4, 5], [3, 4, 5]),
            (.lirs, [1, 1, 2, 2, 3, 4, 5], [1, 2, 5]),
            (.s3fifo, [1, 1, 2, 2, 3, 4, 5], [2, 4, 5]),
            (.twoQueue, [1, 1, 2, 2, 3, 4, 5], [3, 4, 5]),
            (.tinyLFU, [1, 1, 2, 2, 3, 4, 5], [1, 2, 5]),
            (.arc, [1, 1, 2, 2, 3, 4, 5], [2, 4, 5]),
        ] as [(EvictionRule, [UInt64], [UInt64])])
    func `After a flood each rule holds what it is meant to`(rule: EvictionRule, uses: [UInt64], held: [UInt64]) {
        var policy = rule.policy(limit: Load(cost: 3, count: 3))
        var released: [UInt64] = []

        for key in uses { _ = policy.use(key, cost: 1, released: &released) }

        #expect((1...5).filter(policy.holds) == held)
    }

    @Test(arguments: EvictionRule.allCases, Seeds.several(3))
    func `Costs never exceed the limit, and what is let go of is told once`(rule: EvictionRule, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = Load(cost: 100, count: 12)
        var policy = rule.policy(limit: limit)
        var held: [UInt64: Int] = [:]

        for step in 0..<1_500 {
            let key = random.next() % 60
            let cost = (Int(key % 9) + 1) * (key % 20 == 0 ? 11 : 3) + Int(random.next() % 8 == 0 ? 1 : 0)
            var released: [UInt64] = []
            switch random.next() % 12 {
            case 0:
                policy.remove(key)
                held[key] = nil
            case 1:
                let key = policy.release()
                #expect((key == nil) == held.isEmpty)
                if let key { #expect(held.removeValue(forKey: key) != nil) }
            default:
                #expect(policy.use(key, cost: cost, released: &released) == (held[key] == cost))
                held[key] = cost
                for key in released { #expect(held.removeValue(forKey: key) != nil) }
            }
            #expect(held.values.reduce(0, +) <= limit.cost && held.count <= limit.count)
            guard (0..<60).allSatisfy({ policy.holds($0) == (held[$0] != nil) }) else {
                Issue.record("LADING_SEED=\(seed), step \(step)")
                return
            }
        }
    }
}
