import LadingCaching
import LadingTesting
import Testing

@Suite struct MemoryCacheTests {
    @Test func `The sum of costs never exceeds the limit`() {
        let cache = MemoryCache<Int, Int>(costLimit: 10)

        for key in 0..<100 { cache.store(key, for: key, cost: key % 4 + 1) }

        #expect(cache.count <= 10)
        #expect((0..<100).filter { cache.value(for: $0) != nil }.reduce(0) { $0 + $1 % 4 + 1 } <= 10)
    }

    @Test func `A value that costs more than the limit is not stored and evicts nothing`() {
        let cache = MemoryCache<String, Int>(costLimit: 10)
        cache.store(1, for: "small", cost: 1)

        cache.store(2, for: "huge", cost: 11)

        #expect(cache.value(for: "huge") == nil)
        #expect(cache.value(for: "small") == 1)
    }

    @Test func `A key has its newest value at its newest cost`() {
        let cache = MemoryCache<String, Int>(costLimit: 3)
        cache.store(1, for: "a", cost: 3)

        cache.store(2, for: "a", cost: 1)
        cache.store(3, for: "b", cost: 2)

        #expect(cache.value(for: "a") == 2)
        #expect(cache.value(for: "b") == 3)
        #expect(cache.count == 2)
    }

    @Test func `The number of values is limited, however little they cost`() {
        let cache = MemoryCache<Int, Int>(costLimit: 100, countLimit: 4)

        cache.store(0, for: 0, cost: 50)
        for key in 1...3 { cache.store(key, for: key, cost: 10) }
        #expect(cache.count == 4 && cache.cost == 80)

        cache.store(4, for: 4)
        #expect(cache.count == 4)
        #expect(cache.value(for: 4) == 4)
    }

    @Test func `Values in frequent use survive a flood of values used once`() {
        let cache = MemoryCache<Int, Int>(costLimit: 100)

        for key in 0..<5_000 {
            for hot in [-1, -2, -3] where cache.value(for: hot) == nil { cache.store(hot, for: hot) }
            cache.store(key, for: key)
        }

        #expect(cache.statistics.misses == 3)
        #expect(cache.statistics.hits == 3 * 4_999)
        #expect(cache.statistics.evictions == 5_003 - 100)
    }

    @Test func `The cache switches to the algorithm with the most hits`() {
        let cache = MemoryCache<Int, Int>(costLimit: 100)
        #expect(cache.statistics.algorithm == .lirs)

        for turn in 0..<40 {
            for step in 0..<150 {
                let key = turn % 2 == 0 ? step : 149 - step
                if cache.value(for: key) == nil { cache.store(key, for: key) }
            }
        }

        #expect(cache.statistics.algorithm != .lirs)
        #expect(cache.statistics.hitRatio > 0.55)
    }

    @Test func `Reducing the cost evicts the least valuable entries first`() {
        let cache = MemoryCache<Int, Int>(costLimit: 1_000)
        for _ in 0..<3 { for key in 0..<20 where cache.value(for: key) == nil { cache.store(key, for: key, cost: 10) } }

        cache.reduceCost(to: 55)

        #expect(cache.cost == 50 && cache.count == 5)
        #expect(cache.statistics.evictions == 15)

        cache.reduceCost(to: 50)
        #expect(cache.cost == 50)

        cache.removeAll()
        #expect(cache.cost == 0 && cache.value(for: 3) == nil)
    }

    @Test func `A value expires at the end of its lifetime`() {
        let clock = ManualClock()
        let cache = MemoryCache<String, Int>(costLimit: 10, lifetime: .seconds(60), clock: clock)
        cache.store(1, for: "usual")
        cache.store(2, for: "short", lifetime: .seconds(5))
        cache.store(3, for: "renewed")

        clock.advance(by: .seconds(5))
        #expect(cache.value(for: "short") == nil)
        #expect(cache.value(for: "usual") == 1)
        #expect(cache.count == 2)
        cache.store(4, for: "renewed")

        clock.advance(by: .seconds(55))
        cache.removeExpired()
        #expect(cache.count == 1)
        #expect(cache.value(for: "renewed") == 4)

        clock.advance(by: .seconds(5))
        #expect(cache.value(for: "renewed") == nil)
        #expect(cache.count == 0)
    }

    @Test func `Keys with equal hashes never return each other's value`() {
        struct CollidingKey: Hashable {
            var number: Int
            func hash(into hasher: inout Hasher) { hasher.combine(0) }
        }
        let cache = MemoryCache<CollidingKey, Int>(costLimit: 10)

        cache.store(1, for: CollidingKey(number: 1))
        cache.store(2, for: CollidingKey(number: 2))
        cache.removeValue(for: CollidingKey(number: 1))

        #expect(cache.value(for: CollidingKey(number: 1)) == nil)
        #expect(cache.value(for: CollidingKey(number: 2)) == 2)
        #expect(cache.count == 1)
    }

    @Test func `A value may use the cache in its deinitializer`() {
        final class CacheUser: Sendable {
            let cache: MemoryCache<Int, CacheUser>
            init(_ cache: MemoryCache<Int, CacheUser>) { self.cache = cache }
            deinit { cache.removeValue(for: -1) }
        }
        let cache = MemoryCache<Int, CacheUser>(costLimit: 2)

        for key in 0..<5 { cache.store(CacheUser(cache), for: key) }
        cache.store(CacheUser(cache), for: 4)
        cache.removeValue(for: 4)
        cache.reduceCost(to: 0)
        cache.store(CacheUser(cache), for: 1)
        cache.removeAll()

        #expect(cache.count == 0)
    }
}
