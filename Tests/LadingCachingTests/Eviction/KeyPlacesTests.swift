import LadingTesting
import Testing

@testable import LadingCaching

@Suite struct KeyPlacesTests {
    @Test(arguments: Seeds.several(5)) func `It agrees with a dictionary, however badly hashes collide`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var places = KeyPlaces()
        var plain: [UInt64: Int] = [:]

        for step in 0..<10_000 {
            // Few lower bits: most keys are pushed aside by others. Few higher ones: tags are often the same.
            let key = random.next() & 0x0000_0003_0000_007F | (random.next() % 4) << 20
            if let place = plain[key] {
                #expect(places.place(of: key) == place)
                if random.next() % 2 == 0 {
                    places.remove(place)
                    plain[key] = nil
                }
            } else {
                #expect(places.place(of: key) == nil, "LADING_SEED=\(seed), step \(step)")
                plain[key] = places.add(key, cost: step)
            }
            #expect(places.count == plain.count)
        }

        #expect(plain.allSatisfy { places.place(of: $0) == $1 && places.hashes[$1] == $0 })
        #expect(Set(plain.values).count == plain.count)
    }
}
