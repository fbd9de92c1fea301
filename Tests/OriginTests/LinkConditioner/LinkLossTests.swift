import LadingTesting
import Testing
import SeededNumbers

@testable import Origin

@Suite("Loss on a link")
struct LinkLossTests {
    private let recovery = LossRecovery(lossRate: 1, roundTrip: .milliseconds(300))

    @Test(arguments: [
        (0, 500), (1_460, 500), (2_920, 500), (2_921, 300), (100_000, 300),
    ])
    func `A loss costs a round trip with three following segments and a timeout otherwise`(waiting: Int, cost: Int) {
        var generator = SplitMix64(seed: 1, stream: 1)

        #expect(recovery.delay(queuedBytes: waiting, generator: &generator) == .milliseconds(cost))
    }

    @Test func `Without loss no segment is delayed`() {
        var generator = SplitMix64(seed: 1, stream: 1)

        #expect(
            (1...1_000).allSatisfy { _ in LossRecovery(lossRate: 0, roundTrip: .zero).delay(queuedBytes: 0, generator: &generator) == nil })
    }

    @Test func `Segments are lost at the given rate`() {
        var generator = SplitMix64(seed: 1, stream: 1)
        let recovery = LossRecovery(lossRate: 0.05, roundTrip: .zero)

        let lost = (1...10_000).count { _ in recovery.delay(queuedBytes: 0, generator: &generator) != nil }

        #expect((450...550).contains(lost))
    }

    @Test(arguments: TestSeeds.seeds(count: 50))
    func `All bytes arrive, those of a connection in order, whatever is lost`(seed: UInt64) {
        var harness = DirectedLinkHarness(loss: 0.3, seed: seed)

        let crossings = harness.run([.enqueue(20_000, from: 1, at: 0), .enqueue(20_000, from: 2, at: 0), .end(1, at: 1)])

        for id in [1, 2] {
            #expect(crossings.filter { $0.connection == id }.map(\.bytes).reduce(0, +) == 20_000, "LADING_SEED=\(seed)")
        }
        #expect(crossings.last { $0.connection == 1 }?.bytes == 0, "LADING_SEED=\(seed)")
        #expect(crossings.map(\.arrives) == crossings.map(\.arrives).sorted(), "LADING_SEED=\(seed)")
    }

    /// Uses a seed that loses the first segment of connection 1, but neither its retransmission nor anything of connection 2.
    @Test func `A lost segment delays its own connection only`() throws {
        let seed = try #require(
            (1...1_000 as ClosedRange<UInt64>).first { seed in
                var (one, two) = (SplitMix64(seed: seed, stream: 1), SplitMix64(seed: seed, stream: 2))
                return one.nextDouble() < 0.5 && one.nextDouble() >= 0.5 && two.nextDouble() >= 0.5
            })
        var harness = DirectedLinkHarness(loss: 0.5, seed: seed)

        let crossings = harness.run([.enqueue(100, from: 1, at: 0), .enqueue(100, from: 2, at: 0)])

        // 100 ms in transmission, 400 ms until the loss is detected, and 100 ms in retransmission.
        #expect(crossings == [Transmission(2, 100, departs: 200, arrives: 300), Transmission(1, 100, departs: 600, arrives: 700)])
    }

    @Test func `Losses are determined by the seed`() {
        let runs = ([1, 1, 2] as [UInt64]).map { seed in
            var harness = DirectedLinkHarness(loss: 0.3, seed: seed)
            return harness.run([.enqueue(30_000, from: 1, at: 0)])
        }

        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
    }
}
