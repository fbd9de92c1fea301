import Testing

@testable import LadingCaching

@Suite struct PolicySelectorTests {
    private let limit = Weight(cost: 100, count: 100)

    @Test func `LRU is selected where the newest keys are used again first`() {
        var selector = PolicySelector(limit: limit)

        replay(SyntheticTrace.zigzag(length: 150, rounds: 20), in: &selector)

        #expect(selector.selectedAlgorithm == .lru)
    }

    @Test func `LIRS is selected again soon where a loop is longer than the cache`() {
        var selector = PolicySelector(limit: limit, selected: .lru)

        replay(SyntheticTrace.loop(length: 150, rounds: 4), in: &selector)

        #expect(selector.selectedAlgorithm == .lirs)
    }

    @Test func `The selection does not change while all algorithms perform equally`() {
        for rule in EvictionAlgorithm.allCases {
            var selector = PolicySelector(limit: limit, selected: rule)

            #expect(replay(SyntheticTrace.loop(length: 90, rounds: 50), in: &selector) == 0)
        }
    }

    @Test func `Algorithms that perform well in turn are not selected in turn`() {
        var selector = PolicySelector(limit: limit)
        let turn = SyntheticTrace.loop(length: 150, rounds: 2) + SyntheticTrace.zigzag(length: 150, rounds: 2)
        for _ in 0..<10 { replay(turn, in: &selector) }

        let changes = (0..<10).reduce(0) { changes, _ in changes + replay(turn, in: &selector) }

        #expect(changes <= 1)
    }

    @Test(arguments: [(100, 9), (1_000, 31)])
    func `An algorithm is selected with a lead of more than 8 hits and of 3 percent of the keys`(keyCount: Int, lead: Int) {
        var race = Race()

        let isSelected = SyntheticTrace.zigzag(length: 15, rounds: 20).contains { race.access($0, keyCount: keyCount) }

        #expect(isSelected && race.selector.selectedAlgorithm == .lru)
        #expect(race.lead == lead)
    }

    // After a lead of 8 hits all algorithms have 64 hits, after which 5 more hits are necessary instead of 1.
    @Test(arguments: [0, 1]) func `A lead halves in 64 uses for each key that fits`(keyCount: Int) {
        var race = Race()
        var isHalved = false

        let isSelected = SyntheticTrace.zigzag(length: 15, rounds: 20).contains { key in
            if race.access(key, keyCount: 200) { return true }
            guard race.lead == 8, !isHalved else { return false }
            isHalved = true
            return (0..<64).contains { _ in race.access(key, keyCount: keyCount) }
        }

        #expect(isSelected && race.selector.selectedAlgorithm == .lru)
        #expect(race.lead == 8 + 5)
    }

    /// A selector that starts with LIRS, and the lead of LRU in hits.
    private struct Race {
        private static let limit = Weight(cost: 10, count: 10)
        var selector = PolicySelector(limit: Self.limit, selected: .lirs)
        var lead = 0
        private var lru = LRUPolicy(limit: Self.limit)
        private var lirs = LIRSPolicy(limit: Self.limit)
        private var evicted: [UInt64] = []

        /// Records a use; returns whether the selection has changed.
        mutating func access(_ key: UInt64, keyCount: Int) -> Bool {
            if lru.access(key, cost: 1, evicted: &evicted) { lead += 1 }
            if lirs.access(key, cost: 1, evicted: &evicted) { lead -= 1 }
            return selector.access(key, cost: 1, keyCount: keyCount)
        }
    }

    @Test func `Warm-up accesses are stored and change no score`() {
        var selector = PolicySelector(limit: limit)

        for _ in 0..<20 { for key in SyntheticTrace.zigzag(length: 150, rounds: 2) { selector.insert(key, cost: 1) } }

        #expect(selector.selectedAlgorithm == PolicySelector.initialAlgorithm)
        #expect(SyntheticTrace.loop(length: 150, rounds: 1).count(where: selector.selectedPolicy.contains) == 100)
    }

    @discardableResult
    private func replay(_ trace: [UInt64], in contest: inout PolicySelector) -> Int {
        trace.count { contest.access($0, cost: 1, keyCount: limit.count) }
    }
}
