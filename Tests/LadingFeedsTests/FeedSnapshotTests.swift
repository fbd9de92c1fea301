import Testing

@testable import LadingFeeds

/// Tests of lists that are compared with each other.
@Suite struct FeedSnapshotTests {
    private func list(_ ids: some Sequence<Int>) -> FeedSnapshot<PlannerHarness.Row> { FeedSnapshot(ids.map(PlannerHarness.Row.init)) }

    @Test(
        arguments: [
            (5, [4, 5, 6], 5), (5, [3], 3), (5, [2, 7], 7),
            // Of two neighbours at the same distance the later one counts.
            (5, [4, 6], 6), (0, [2], 2), (2_999, [2_997], 2_997),
            // Neighbours are searched at a distance of up to 1,000 rows.
            (1_500, [500], 500), (1_500, [499], nil), (1_500, [2_500], 2_500), (1_500, [2_501], nil), (0, [3_000], nil),
        ] as [(Int, [Int], Int?)])
    func `The nearest row that two lists have in common is found`(index: Int, others: [Int], neighbour: Int?) {
        let match = list(0..<3_000).nearestCommonRow(to: index, in: list(others))

        #expect(match?.here == neighbour)
        #expect(match?.there == neighbour.flatMap { others.firstIndex(of: $0) })
    }

    @Test(
        arguments: [
            ([1, 2], [1, 2], true), ([], [], true), ([1, 2], [2, 1], false), ([1, 2], [1, 2, 3], false), ([1, 2, 3], [1, 2], false),
        ] as [([Int], [Int], Bool)])
    func `Two lists are in the same order if they have the same rows at the same places`(ids: [Int], others: [Int], isSame: Bool) {
        #expect(list(ids).isInSameOrder(as: list(others)) == isSame)
    }
}
