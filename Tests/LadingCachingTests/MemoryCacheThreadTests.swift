import Dispatch
import LadingCaching
import LadingTesting
import Testing

@Suite struct MemoryCacheThreadTests {
    @Test func `Concurrent threads read only stored values and stay within the limits`() {
        let cache = MemoryCache<Int, Int>(costLimit: 300, countLimit: 200)

        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SeededRandom(seed: UInt64(thread + 1))
            for step in 0..<4_000 {
                let key = Int(random.next() % 400)
                switch random.next() % 32 {
                case 0: cache.removeValue(for: key)
                case 1: cache.reduceCost(to: 250)
                case 2 where step % 1_000 == 0: cache.removeAll()
                case 3: #expect(cache.cost <= 300 && cache.count <= 200)
                default:
                    if let value = cache.value(for: key) {
                        #expect(value % 400 == key)
                    } else {
                        cache.store(key + 400 * step, for: key, cost: key % 3 + 1)
                    }
                }
            }
        }

        let resident = (0..<400).filter { cache.value(for: $0) != nil }
        #expect(resident.count == cache.count)
        #expect(resident.reduce(0) { $0 + $1 % 3 + 1 } == cache.cost)
    }
}
