import LadingTesting
import Testing

@testable import LadingCaching

@Suite struct ResidencyTests {
    @Test(arguments: Seeds.several(5)) func `It never keeps more than it may, and tells all that it forgets`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = Load(cost: 200, count: 40)
        var residency = Residency(limit: limit, contestLimit: 16)
        var kept: [UInt64: Int] = [:]

        for step in 0..<4_000 {
            let key = SyntheticTrace.hash(random.next() % 120)
            switch random.next() % 20 {
            case 0:
                residency.remove(key)
                kept[key] = nil
            case 1:
                if let key = residency.forgetOne() { #expect(kept.removeValue(forKey: key) != nil) }
            case 2:
                residency.use(key)
            default:
                let cost = Int(random.next() % 12) + 1
                var forgotten: [UInt64] = []
                residency.use(key, cost: cost, forgotten: &forgotten)
                kept[key] = cost
                for key in forgotten { #expect(kept.removeValue(forKey: key) != nil, "LADING_SEED=\(seed), step \(step)") }
                #expect(kept[key] != nil)
            }
            #expect(residency.load == Load(cost: kept.values.reduce(0, +), count: kept.count))
            #expect(residency.load.fits(limit))
        }
    }

    @Test func `Where LRU leads, it keeps what LRU would`() {
        let limit = Load(cost: 100, count: 100)
        var (residency, lru) = (Residency(limit: limit), LRUPolicy(limit: limit))
        var (kept, forgotten, released): (Set<UInt64>, [UInt64], [UInt64]) = ([], [], [])

        for key in SyntheticTrace.zigzag(length: 150, turns: 40) {
            residency.use(key, cost: 1, forgotten: &forgotten)
            kept.insert(key)
            kept.subtract(forgotten)
            forgotten = []
            _ = lru.use(key, cost: 1, released: &released)
        }

        #expect(residency.rule == .lru)
        #expect(kept.count == 100 && kept.allSatisfy(lru.holds))
    }

    @Test func `Of a large cache a sample of the keys is enough to find the rule`() {
        var residency = Residency(limit: Load(cost: 400, count: 400), contestLimit: 100)
        var forgotten: [UInt64] = []

        for key in SyntheticTrace.zigzag(length: 600, turns: 30) { residency.use(key, cost: 1, forgotten: &forgotten) }

        #expect(residency.rule == .lru)
    }

    @Test func `LRU that takes over a large cache knows in which order things were used`() {
        var residency = Residency(limit: Load(cost: 400, count: 400), contestLimit: 100)
        var (lastUses, forgotten): ([UInt64: Int], [UInt64]) = ([:], [])
        for (moment, key) in SyntheticTrace.zigzag(length: 600, turns: 30).enumerated() where residency.rule != .lru {
            residency.use(key, cost: 1, forgotten: &forgotten)
            lastUses[key] = moment
        }

        var order: [UInt64] = []
        while let key = residency.forgetOne() { order.append(key) }

        #expect(residency.rule == .lru && order.count == 400)
        #expect(order == order.sorted { lastUses[$0, default: 0] < lastUses[$1, default: 0] })
    }

    @Test func `Forgetting everything does not forget the rule`() {
        var residency = Residency(limit: Load(cost: 100, count: 100))
        var forgotten: [UInt64] = []
        for key in SyntheticTrace.zigzag(length: 150, turns: 20) { residency.use(key, cost: 1, forgotten: &forgotten) }

        residency.removeAll()

        #expect(residency.load == .none)
        #expect(residency.rule == .lru)
    }
}
