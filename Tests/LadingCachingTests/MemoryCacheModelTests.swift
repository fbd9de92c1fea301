import LadingCaching
import LadingTesting
import Testing

/// Random calls compared with a dictionary of the last stored values.
@Suite struct MemoryCacheModelTests {
    private struct StoredValue {
        var value: Int
        var cost: Int
        var deadline: Duration?
    }

    @Test(arguments: TestSeeds.seeds(count: 5)) func `A lookup returns the value stored last, and no limit is exceeded`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let clock = ManualClock()
        let (costLimit, countLimit) = (Int(random.next() % 200) + 1, Int(random.next() % 40) + 1)
        let cache = MemoryCache<Int, Int>(costLimit: costLimit, countLimit: countLimit, clock: clock)
        var stored: [Int: StoredValue] = [:]
        var now = Duration.zero

        for step in 0..<4_000 {
            let key = Int(random.next() % 80)
            switch random.next() % 64 {
            case 0: cache.removeAll(); stored = [:]
            case 1: cache.removeExpired()
            case 2:
                let limit = Int(random.next() % UInt64(costLimit))
                cache.reduceCost(to: limit)
                #expect(cache.cost <= limit)
            case 3: clock.advance(by: .seconds(1)); now += .seconds(1)
            case 4..<10: cache.removeValue(for: key); stored[key] = nil
            case 10..<30:
                let isShort = random.next() % 4 == 0
                stored[key] = StoredValue(value: step, cost: Int(random.next() % 30) + 1, deadline: isShort ? now + .seconds(2) : nil)
                cache.store(step, for: key, cost: stored[key]?.cost ?? 1, lifetime: isShort ? .seconds(2) : nil)
                let isKept = (stored[key]?.cost ?? 1) <= costLimit
                #expect((cache.value(for: key) == step) == isKept, "LADING_SEED=\(seed), step \(step)")
            default:
                guard let value = cache.value(for: key) else { continue }
                #expect(stored[key]?.value == value, "LADING_SEED=\(seed), step \(step)")
                #expect((stored[key]?.deadline).map { $0 > now } ?? true)
            }
            #expect(cache.cost <= costLimit && cache.count <= countLimit)
        }

        #expect(cache.statistics.hits > 0 && cache.statistics.evictions > 0)
    }

    @Test(arguments: TestSeeds.seeds(count: 3)) func `Values are not evicted while all of them fit`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let cache = MemoryCache<Int, Int>(costLimit: 64 * 10)
        var stored: [Int: (value: Int, cost: Int)] = [:]

        for step in 0..<4_000 {
            let key = Int(random.next() % 64)
            if random.next() % 3 == 0 {
                stored[key] = (step, Int(random.next() % 10) + 1)
                cache.store(step, for: key, cost: stored[key]?.cost ?? 1)
            } else if random.next() % 16 == 0 {
                stored[key] = nil
                cache.removeValue(for: key)
            }
            #expect(cache.value(for: key) == stored[key]?.value, "LADING_SEED=\(seed), step \(step)")
        }

        #expect(cache.count == stored.count)
        #expect(cache.cost == stored.values.reduce(0) { $0 + $1.cost })
    }
}
