import LadingCaching
import LadingTesting
import Testing

@Suite struct MemoryCacheTests {
    @Test func `What was used least recently is forgotten first`() {
        let cache = MemoryCache<String, Int>(costLimit: 2)
        cache.store(1, for: "a")
        cache.store(2, for: "b")

        _ = cache.value(for: "a")
        cache.store(3, for: "c")

        #expect(cache.value(for: "a") == 1)
        #expect(cache.value(for: "b") == nil)
        #expect(cache.value(for: "c") == 3)
    }

    @Test func `The sum of costs never exceeds the limit`() {
        let cache = MemoryCache<Int, Int>(costLimit: 10)

        for key in 0..<100 { cache.store(key, for: key, cost: key % 4 + 1) }

        #expect(cache.count <= 10)
        #expect((0..<100).filter { cache.value(for: $0) != nil }.reduce(0) { $0 + $1 % 4 + 1 } <= 10)
    }

    @Test func `A value that costs more than the limit is not kept and replaces nothing else`() {
        let cache = MemoryCache<String, Int>(costLimit: 10)
        cache.store(1, for: "small", cost: 1)

        cache.store(2, for: "huge", cost: 11)

        #expect(cache.value(for: "huge") == nil)
        #expect(cache.value(for: "small") == 1)
    }

    @Test func `A key has one value, the newest, at its newest cost`() {
        let cache = MemoryCache<String, Int>(costLimit: 3)
        cache.store(1, for: "a", cost: 3)

        cache.store(2, for: "a", cost: 1)
        cache.store(3, for: "b", cost: 2)

        #expect(cache.value(for: "a") == 2)
        #expect(cache.value(for: "b") == 3)
        #expect(cache.count == 2)
    }

    @Test(arguments: Seeds.several(3)) func `It agrees with a naive list of recency`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let cache = MemoryCache<Int, Int>(costLimit: 8)
        var recency: [Int] = []

        for step in 0..<2_000 {
            let key = Int(random.next() % 16)
            switch random.next() % 3 {
            case 0:
                cache.store(step, for: key)
                recency.removeAll { $0 == key }
                recency.insert(key, at: 0)
                if recency.count > 8 { recency.removeLast() }
            case 1:
                #expect((cache.value(for: key) != nil) == recency.contains(key), "LADING_SEED=\(seed), step \(step)")
                if recency.contains(key) {
                    recency.removeAll { $0 == key }
                    recency.insert(key, at: 0)
                }
            default:
                cache.removeValue(for: key)
                recency.removeAll { $0 == key }
            }
            #expect(cache.count == recency.count)
        }
    }
}
