import Testing

@testable import LadingCaching

@Suite struct EvictionContestTests {
    private let limit = Load(cost: 100, count: 100)

    @Test func `Where the newest is used again first, LRU takes the lead`() {
        var contest = EvictionContest(limit: limit)

        play(SyntheticTrace.zigzag(length: 150, turns: 20), in: &contest)

        #expect(contest.leader == .lru)
    }

    @Test func `Where a loop is longer than the cache, LIRS leads again soon`() {
        var contest = EvictionContest(limit: limit, leader: .lru)

        play(SyntheticTrace.loop(length: 150, turns: 4), in: &contest)

        #expect(contest.leader == .lirs)
    }

    @Test func `Where all do equally well, nothing changes`() {
        for rule in EvictionRule.allCases {
            var contest = EvictionContest(limit: limit, leader: rule)

            #expect(play(SyntheticTrace.loop(length: 90, turns: 50), in: &contest) == 0)
        }
    }

    @Test func `What does well in turn does not lead in turn`() {
        var contest = EvictionContest(limit: limit)
        let turn = SyntheticTrace.loop(length: 150, turns: 2) + SyntheticTrace.zigzag(length: 150, turns: 2)
        for _ in 0..<10 { play(turn, in: &contest) }

        let changes = (0..<10).reduce(0) { changes, _ in changes + play(turn, in: &contest) }

        #expect(changes <= 1)
    }

    @Test func `What is only learnt is held, and counts for no rule`() {
        var contest = EvictionContest(limit: limit)

        for _ in 0..<20 { for key in SyntheticTrace.zigzag(length: 150, turns: 2) { contest.learn(key, cost: 1) } }

        #expect(contest.leader == EvictionContest.first)
        #expect(SyntheticTrace.loop(length: 150, turns: 1).count(where: contest.leadingPolicy.holds) == 100)
    }

    @discardableResult
    private func play(_ trace: [UInt64], in contest: inout EvictionContest) -> Int {
        trace.count { contest.use($0, cost: 1, among: limit.count) }
    }
}
