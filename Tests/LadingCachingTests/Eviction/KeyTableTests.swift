import LadingTesting
import Testing

@testable import LadingCaching

@Suite struct KeyTableTests {
    @Test(arguments: TestSeeds.seeds(count: 5)) func `The table agrees with a dictionary even when hashes collide`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = KeyTable()
        var plain: [UInt64: Int] = [:]

        for step in 0..<10_000 {
            // Few lower bits displace most keys; few upper bits make tags equal.
            let key = random.next() & 0x0000_0003_0000_007F | (random.next() % 4) << 20
            if let place = plain[key] {
                #expect(table.slot(of: key) == place)
                if random.next() % 2 == 0 {
                    table.remove(place)
                    plain[key] = nil
                }
            } else {
                #expect(table.slot(of: key) == nil, "LADING_SEED=\(seed), step \(step)")
                plain[key] = table.add(key, cost: step)
            }
            #expect(table.count == plain.count)
        }

        #expect(plain.allSatisfy { table.slot(of: $0) == $1 && table.hashes[$1] == $0 })
        #expect(Set(plain.values).count == plain.count)
    }
}
