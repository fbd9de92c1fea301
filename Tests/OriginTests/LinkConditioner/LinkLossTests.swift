import LadingTesting
import Testing

@testable import Origin

@Suite("Loss on a link")
struct LinkLossTests {
    private let recovery = LossRecovery(share: 1, roundTrip: .milliseconds(300))

    @Test(arguments: [
        (0, 500), (1_460, 500), (2_920, 500), (2_921, 300), (100_000, 300),
    ])
    func `A loss costs a round trip where three segments report it, else patience too`(waiting: Int, cost: Int) {
        var luck = SplitMix64(seed: 1, stream: 1)

        #expect(recovery.delay(waiting: waiting, luck: &luck) == .milliseconds(cost))
    }

    @Test func `Without loss nothing waits`() {
        var luck = SplitMix64(seed: 1, stream: 1)

        #expect((1...1_000).allSatisfy { _ in LossRecovery(share: 0, roundTrip: .zero).delay(waiting: 0, luck: &luck) == nil })
    }

    @Test func `So many are lost as the share says`() {
        var luck = SplitMix64(seed: 1, stream: 1)
        let recovery = LossRecovery(share: 0.05, roundTrip: .zero)

        let lost = (1...10_000).count { _ in recovery.delay(waiting: 0, luck: &luck) != nil }

        #expect((450...550).contains(lost))
    }

    @Test(arguments: Seeds.several(50))
    func `All bytes arrive, those of a connection in order, whatever is lost`(seed: UInt64) {
        var pad = LinkPad(loss: 0.3, seed: seed)

        let crossings = pad.run([.offer(20_000, from: 1, at: 0), .offer(20_000, from: 2, at: 0), .end(1, at: 1)])

        for id in [1, 2] {
            #expect(crossings.filter { $0.connection == id }.map(\.bytes).reduce(0, +) == 20_000, "LADING_SEED=\(seed)")
        }
        #expect(crossings.last { $0.connection == 1 }?.bytes == 0, "LADING_SEED=\(seed)")
        #expect(crossings.map(\.arrives) == crossings.map(\.arrives).sorted(), "LADING_SEED=\(seed)")
    }

    /// With this seed the first segment of connection 1 is lost, the second time it is not; nothing of connection 2 is.
    @Test func `A lost segment holds up its own connection only`() throws {
        let seed = try #require(
            (1...1_000 as ClosedRange<UInt64>).first { seed in
                var (one, two) = (SplitMix64(seed: seed, stream: 1), SplitMix64(seed: seed, stream: 2))
                return one.share() < 0.5 && one.share() >= 0.5 && two.share() >= 0.5
            })
        var pad = LinkPad(loss: 0.5, seed: seed)

        let crossings = pad.run([.offer(100, from: 1, at: 0), .offer(100, from: 2, at: 0)])

        // 100 ms on the line for nothing, then 400 ms until it is missed, and 100 ms on the line again.
        #expect(crossings == [Crossing(2, 100, departs: 200, arrives: 300), Crossing(1, 100, departs: 600, arrives: 700)])
    }

    @Test func `The same seed makes the same losses, another makes others`() {
        let runs = ([1, 1, 2] as [UInt64]).map { seed in
            var pad = LinkPad(loss: 0.3, seed: seed)
            return pad.run([.offer(30_000, from: 1, at: 0)])
        }

        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
    }
}
