import LadingTesting
import Testing

@testable import LadingCaching

@Suite struct AdaptiveEvictionTests {
    @Test(arguments: TestSeeds.seeds(count: 5)) func `The limit is never exceeded, and every evicted key is reported`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = Weight(cost: 200, count: 40)
        var eviction = AdaptiveEviction(limit: limit, sampleLimit: 16)
        var resident: [UInt64: Int] = [:]

        for step in 0..<4_000 {
            let key = SyntheticTrace.hash(random.next() % 120)
            switch random.next() % 20 {
            case 0:
                eviction.remove(key)
                resident[key] = nil
            case 1:
                if let key = eviction.evict() { #expect(resident.removeValue(forKey: key) != nil) }
            case 2:
                eviction.access(key)
            default:
                let cost = Int(random.next() % 12) + 1
                var evicted: [UInt64] = []
                eviction.access(key, cost: cost, evicted: &evicted)
                resident[key] = cost
                for key in evicted { #expect(resident.removeValue(forKey: key) != nil, "LADING_SEED=\(seed), step \(step)") }
                #expect(resident[key] != nil)
            }
            #expect(eviction.weight == Weight(cost: resident.values.reduce(0, +), count: resident.count))
            #expect(eviction.weight.fits(limit))
        }
    }

    @Test func `With LRU selected the same keys are retained as by LRU`() {
        let limit = Weight(cost: 100, count: 100)
        var (eviction, lru) = (AdaptiveEviction(limit: limit), LRUPolicy(limit: limit))
        var (resident, evicted, lruEvicted): (Set<UInt64>, [UInt64], [UInt64]) = ([], [], [])

        for key in SyntheticTrace.zigzag(length: 150, rounds: 40) {
            eviction.access(key, cost: 1, evicted: &evicted)
            resident.insert(key)
            resident.subtract(evicted)
            evicted = []
            _ = lru.access(key, cost: 1, evicted: &lruEvicted)
        }

        #expect(eviction.algorithm == .lru)
        #expect(resident.count == 100 && resident.allSatisfy(lru.contains))
    }

    @Test func `A sample of the keys of a large cache suffices to select the algorithm`() {
        var eviction = AdaptiveEviction(limit: Weight(cost: 400, count: 400), sampleLimit: 100)
        var evicted: [UInt64] = []

        for key in SyntheticTrace.zigzag(length: 600, rounds: 30) { eviction.access(key, cost: 1, evicted: &evicted) }

        #expect(eviction.algorithm == .lru)
    }

    @Test(arguments: [10, 20, 100]) func `LRU that takes over a cache, sampled or not, knows the order of accesses`(sampleLimit: Int) {
        var eviction = AdaptiveEviction(limit: Weight(cost: 40, count: 40), sampleLimit: sampleLimit)
        var (lastUses, evicted): ([UInt64: Int], [UInt64]) = ([:], [])
        for (moment, key) in SyntheticTrace.zigzag(length: 60, rounds: 30).enumerated() where eviction.algorithm != .lru {
            eviction.access(key, cost: 1, evicted: &evicted)
            lastUses[key] = moment
        }

        var order: [UInt64] = []
        while let key = eviction.evict() { order.append(key) }

        #expect(eviction.algorithm == .lru && order.count == 40)
        #expect(order == order.sorted { lastUses[$0, default: 0] < lastUses[$1, default: 0] })
    }

    // The cache holds twice as many keys as the sample.
    @Test(arguments: [(0b00, .lru), (0b01, .lru), (0b10, .lirs), (0b11, .lirs)] as [(UInt64, EvictionAlgorithm)])
    func `The sample of half the keys consists of hashes that begin with a zero`(start: UInt64, algorithm: EvictionAlgorithm) {
        var eviction = AdaptiveEviction(limit: Weight(cost: 40, count: 40), sampleLimit: 20)
        var evicted: [UInt64] = []

        for key in SyntheticTrace.zigzag(length: 60, rounds: 20) { eviction.access(start << 62 | key >> 2, cost: 1, evicted: &evicted) }

        #expect(eviction.algorithm == algorithm)
    }

    @Test func `A key that costs as much as the limit empties the simulated policies as well`() {
        var eviction = AdaptiveEviction(limit: Weight(cost: 40, count: 40))
        var evicted: [UInt64] = []

        for key in SyntheticTrace.zigzag(length: 60, rounds: 20) {
            eviction.access(key, cost: 1, evicted: &evicted)
            eviction.access(SyntheticTrace.hash(1_000), cost: 40, evicted: &evicted)
        }

        #expect(eviction.weight == Weight(cost: 40, count: 1))
        #expect(eviction.algorithm == .lirs)
    }

    @Test func `Removing all keys preserves the selected algorithm`() {
        var eviction = AdaptiveEviction(limit: Weight(cost: 100, count: 100))
        var evicted: [UInt64] = []
        for key in SyntheticTrace.zigzag(length: 150, rounds: 20) { eviction.access(key, cost: 1, evicted: &evicted) }

        eviction.removeAll()

        #expect(eviction.weight == .zero)
        #expect(eviction.algorithm == .lru)
    }
}
