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

    @Test(
        arguments: [
            // Ghosts, with the keys of their segment or of the other one, are at most as many as held keys.
            (2, [1, 2, 3, 1, 4], [1, 4]), (2, [1, 1, 2, 3, 1, 2], [2, 3]),
            // The first return gives keys used once one place of three, the next one two.
            (3, [1, 1, 2, 3, 4, 2], [1, 2, 4]), (3, [1, 2, 3, 2, 4, 1, 5, 3], [3, 4, 5]),
            // Returns of keys used twice reverse it, and never below 0: by one place, or more where their ghosts are fewer.
            (3, [1, 2, 3, 2, 3, 4, 2], [2, 3, 4]), (3, [1, 2, 3, 1, 4, 2, 5, 1], [1, 2, 5]),
            (4, [1, 2, 3, 1, 4, 5, 2, 3, 1, 5], [1, 2, 3, 5]), (3, [1, 1, 2, 3, 4, 3, 5, 2, 6, 4, 4, 2], [2, 5, 6]),
        ] as [(Int, [UInt64], [UInt64])])
    func `ARC divides the room by the segments that ghosts return to`(size: Int, uses: [UInt64], held: [UInt64]) {
        #expect(heldKeys(.arc, size: size, after: uses) == [held, held])
    }

    @Test(
        arguments: [
            // A key that is used again sooner than the last LIR key replaces it.
            (2, [1, 2, 2, 3], [2, 3]), (2, [1, 2, 2, 1, 3], [2, 3]),
            // Ghosts are at most twice as many as held keys.
            (2, [1, 2, 3, 4, 5, 6, 2, 7], [2, 7]), (2, [1, 2, 3, 4, 5, 6, 7, 2, 8], [1, 8]),
        ] as [(Int, [UInt64], [UInt64])])
    func `LIRS holds the keys of the shortest distance between uses`(size: Int, uses: [UInt64], held: [UInt64]) {
        #expect(heldKeys(.lirs, size: size, after: uses) == [held, held])
    }

    @Test(
        arguments: [
            // Keys stay in the main queue for one more round per use, and at most three.
            (3, [1, 2, 3, 2, 2, 2, 3, 3, 4], [1, 2, 4]), (3, [1, 2, 3, 2, 2, 2, 2, 3, 3, 3, 4], [1, 3, 4]),
            // Two uses in the small queue move a key to the main one, where they do not count.
            (3, [1, 1, 1, 2, 3, 4, 5], [1, 4, 5]), (3, [1, 2, 1, 3, 3, 1, 4, 2], [2, 3, 4]),
            // A key that returns before two others are evicted enters the main queue.
            (3, [1, 2, 3, 4, 5, 6, 1, 7], [1, 6, 7]), (3, [1, 2, 3, 4, 5, 6, 7, 1, 8], [1, 3, 8]),
        ] as [(Int, [UInt64], [UInt64])])
    func `S3-FIFO holds keys by their uses in the queues`(size: Int, uses: [UInt64], held: [UInt64]) {
        #expect(heldKeys(.s3fifo, size: size, after: uses) == [held, held])
    }

    @Test(
        arguments: [
            // A queue within its share evicts nothing while the main list has keys.
            (2, [1, 2, 3, 1, 4], [3, 4]),
            // A key enters the main list when it returns before as many others are evicted as half the limit.
            (4, [1, 2, 3, 4, 5, 6, 1, 7, 8, 9, 10], [1, 8, 9, 10]), (4, [1, 2, 3, 4, 5, 6, 7, 1, 8, 9, 10, 11], [8, 9, 10, 11]),
            (4, [1, 2, 3, 4, 5, 6, 1, 7, 3, 8, 9, 10], [1, 3, 9, 10]),
        ] as [(Int, [UInt64], [UInt64])])
    func `2Q holds keys that return after their eviction`(size: Int, uses: [UInt64], held: [UInt64]) {
        #expect(heldKeys(.twoQueue, size: size, after: uses) == [held, held])
    }

    @Test(
        arguments: [
            // A key is not admitted with as many uses as the one that it would evict.
            (2, [1, 1, 2, 2, 3], [1, 3]),
            // A protected key stays while there are others.
            (3, [1, 2, 1, 3, 3, 4], [1, 3, 4]),
            // Ten uses per key of the limit halve the 12 uses of the first key, and 7 of another suffice.
            (2, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4], [3, 4]),
        ] as [(Int, [UInt64], [UInt64])])
    func `W-TinyLFU holds the keys with the most recent uses`(size: Int, uses: [UInt64], held: [UInt64]) {
        #expect(heldKeys(.tinyLFU, size: size, after: uses) == [held, held])
    }

    /// Returns the keys up to 12 that an algorithm holds after uses, with both limits equal and with a cost limit that is never reached.
    private func heldKeys(_ rule: EvictionAlgorithm, size: Int, after uses: [UInt64]) -> [[UInt64]] {
        [size, 100 * size].map { costLimit -> [UInt64] in
            var policy = rule.makePolicy(limit: Weight(cost: costLimit, count: size))
            var evicted: [UInt64] = []
            for key in uses { _ = policy.access(key, cost: 1, evicted: &evicted) }
            return (1...12).filter(policy.contains)
        }
    }

    @Test func `ARC gives the whole limit to keys used once when a key returns while one is held`() {
        var policy = ARCPolicy(limit: Weight(cost: 3, count: 3))
        var evicted: [UInt64] = []
        for key: UInt64 in [1, 2] { _ = policy.access(key, cost: 1, evicted: &evicted) }
        #expect(policy.evict() == 1)

        for key: UInt64 in [1, 3, 4] { _ = policy.access(key, cost: 1, evicted: &evicted) }

        #expect((1...4).filter(policy.contains) == [2, 3, 4])
    }

    @Test func `LIRS does not retain a key for its distance that exceeds the room for such keys`() {
        var policy = LIRSPolicy(limit: Weight(cost: 1_000, count: 10))
        var evicted: [UInt64] = []
        let uses: [(UInt64, Int)] = [(1, 5), (2, 995), (2, 995), (3, 1), (4, 5)]

        for (key, cost) in uses { _ = policy.access(key, cost: cost, evicted: &evicted) }

        #expect((1...4).filter(policy.contains) == [3, 4])
    }

    @Test func `W-TinyLFU holds the newest key even if it exceeds the window`() {
        var policy = TinyLFUPolicy(limit: Weight(cost: 100, count: 10))
        var evicted: [UInt64] = []

        for key: UInt64 in [1, 2] { _ = policy.access(key, cost: 60, evicted: &evicted) }

        #expect(evicted == [1])
        #expect(policy.contains(2))
    }

    // Key 1 returns to the main queue if it is the only ghost, and is new otherwise.
    @Test(
        arguments: [
            (.s3fifo, [1], [1, 2, 3, 4, 5], [1, 3, 4, 5]), (.s3fifo, [1, 2], [1, 3, 4, 5, 6], [3, 4, 5, 6]),
            (.twoQueue, [1], [1, 2, 3, 4, 5], [1, 3, 4, 5]), (.twoQueue, [1, 2], [1, 3, 4, 5, 6], [3, 4, 5, 6]),
        ] as [(EvictionAlgorithm, [UInt64], [UInt64], [UInt64])])
    func `A policy without keys has one ghost`(rule: EvictionAlgorithm, evictions: [UInt64], uses: [UInt64], held: [UInt64]) {
        var policy = rule.makePolicy(limit: Weight(cost: 4, count: 4))
        var evicted: [UInt64] = []
        for key in evictions {
            _ = policy.access(key, cost: 1, evicted: &evicted)
            #expect(policy.evict() == key)
        }

        for key in uses { _ = policy.access(key, cost: 1, evicted: &evicted) }

        #expect((1...6).filter(policy.contains) == held)
    }

    @Test(arguments: EvictionAlgorithm.allCases) func `A key is a hit from its second use`(rule: EvictionAlgorithm) {
        var policy = rule.makePolicy(limit: Weight(cost: 2, count: 2))
        var evicted: [UInt64] = []

        let uses: [UInt64] = [1, 1, 2, 2]

        let hits = uses.map { policy.access($0, cost: 1, evicted: &evicted) }

        #expect(hits == [false, true, false, true])
    }

    @Test(arguments: EvictionAlgorithm.allCases) func `A removed key makes room for one other`(rule: EvictionAlgorithm) {
        var policy = rule.makePolicy(limit: Weight(cost: 300, count: 3))
        var evicted: [UInt64] = []
        for key: UInt64 in [1, 2, 3] { _ = policy.access(key, cost: 1, evicted: &evicted) }

        policy.remove(1)
        _ = policy.access(4, cost: 1, evicted: &evicted)
        #expect(evicted.isEmpty)

        _ = policy.access(5, cost: 1, evicted: &evicted)
        #expect(evicted.count == 1)
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
