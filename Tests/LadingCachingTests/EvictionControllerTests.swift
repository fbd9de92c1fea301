import Testing

@testable import LadingCaching

@Suite struct EvictionControllerTests {
    @Test func `Hits are recorded after the first store, 64 for each`() {
        var controller = EvictionController(limit: Weight(cost: 10, count: 10))
        #expect(!controller.recordsHits)

        _ = controller.store(1, cost: 1)
        #expect(recordedHits(&controller) == 64)

        _ = controller.store(2, cost: 1)
        _ = controller.store(3, cost: 1)
        #expect(recordedHits(&controller) == 128)
    }

    // The last store is of a key that is held.
    @Test(arguments: [(100, 4_096), (2_100, 4_200)])
    func `At most 4096 hits, or two for each value, are granted in advance`(count: Int, hits: Int) {
        var controller = EvictionController(limit: Weight(cost: count, count: count))

        for key in 0..<count { _ = controller.store(SyntheticTrace.hash(UInt64(key)), cost: 1) }
        _ = controller.store(SyntheticTrace.hash(0), cost: 1)

        #expect(recordedHits(&controller) == hits)
    }

    /// Records hits of an absent key while the controller accepts them; returns their number, at most 10,000.
    private func recordedHits(_ controller: inout EvictionController) -> Int {
        var count = 0
        while controller.recordsHits, count < 10_000 {
            controller.recordHits([HitRing.Hit(sequenceNumber: UInt64(count), hash: .max)])
            count += 1
        }
        return count
    }
}
