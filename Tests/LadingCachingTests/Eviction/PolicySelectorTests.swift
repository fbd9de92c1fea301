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
