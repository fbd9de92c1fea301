import LadingOperations
import Testing

/// Tests of the wait for visible cells while others are prefetched over the same link, compared with published figures for Nuke.
///
/// The scenarios are those of pull request 981 of kean/Nuke (September 2026): a prefetcher loads six pictures at a time when a screen is opened or
/// paged to a new picture. The figures are the mean wait for a cell, with six shared slots and with at most three for cells that are not visible. The
/// simulation was not published. Assumptions: LTE with 12 Mbit/s, which transfers share equally, and a round trip of 70 ms, as in the profile of that
/// name; a screen of 32 thumbnails of 62 KB or 6 large pictures of 250 KB, each varying by half, with which six shared slots come close to the
/// published figures; the screen is opened at 20 moments during the prefetch. Both published policies run in the same model.
@Suite struct SharedLinkTests {
    struct Scenario: Sendable, CustomStringConvertible {
        let name: String
        let cells: Int
        let bytes: Int
        /// The published waits in milliseconds, with six shared slots and with at most three for cells that are not visible.
        let published: (open: Double, reserved: Double)

        var description: String { name }
    }

    static let scenarios = [
        Scenario(name: "a screen of thumbnails", cells: 32, bytes: 62_000, published: (989, 860)),
        Scenario(name: "a screen of large pictures", cells: 6, bytes: 250_000, published: (1_297, 1_054)),
        Scenario(name: "on to the next thumbnail", cells: 1, bytes: 62_000, published: (301, 265)),
        Scenario(name: "on to the next large picture", cells: 1, bytes: 250_000, published: (1_429, 965)),
    ]

    private static let sampleCount = 20

    /// Returns the mean over screens that are opened at several moments of the prefetch.
    private func meanWait(_ scenario: Scenario, _ limits: LaneLimits) -> Double {
        let waits = (0..<Self.sampleCount).map { moment in
            let link = SimulatedLink(bytesPerSecond: 1_500_000, roundTrip: .milliseconds(70))
            let screen = SimulatedScreen(lanes: LaneConfiguration(network: limits), link: link, bytes: scenario.bytes)
            screen.prefetch(from: 1_000, atOnce: 6, untilLoaded: 20 + moment)
            screen.advance(byPart: Double(moment) / Double(Self.sampleCount))
            return screen.meanWait(opening: 0..<scenario.cells)
        }
        return waits.reduce(0, +) / Double(waits.count)
    }

    @Test(arguments: scenarios)
    func `A new screen waits less than the published times, and for large pictures less than with either published rule`(
        scenario: Scenario
    ) {
        let open = meanWait(scenario, LaneLimits(width: 6))
        let reserved = meanWait(scenario, LaneLimits(width: 6, reserved: 3))
        let ours = meanWait(scenario, LaneLimits(width: 6, reserved: 2, minimumWidth: 2))

        print(
            "\(scenario): ours \(Int(ours)) ms; in the same model six for all \(Int(open)), three reserved \(Int(reserved));",
            "published \(Int(scenario.published.open)), \(Int(scenario.published.reserved))")
        #expect(ours < scenario.published.reserved)
        // The bandwidth determines the wait for many small pictures, in any order.
        #expect(ours < min(open, reserved) * 1.05)
        if scenario.bytes > 100_000 { #expect(ours < reserved * 0.9) }
    }

    @Test func `On a slow link two transfers at a time give shorter waits than six`() {
        let all = [LaneLimits(width: 6), LaneLimits(width: 6, reserved: 2, minimumWidth: 2)].map { limits in
            let line = SimulatedLink(bytesPerSecond: 187_500, roundTrip: .milliseconds(50))
            let screen = SimulatedScreen(lanes: LaneConfiguration(network: limits), link: line, bytes: 120_000)
            _ = screen.meanWait(opening: 100..<110)
            return screen.meanWait(opening: 0..<18)
        }

        // The mean wait is shorter: six concurrent transfers all end late.
        #expect(all[1] < all[0] * 0.9)
    }

    @Test func `On an unmeasured slow link the first picture arrives as fast as the link allows`() {
        let limits = LaneLimits(width: 8, reserved: 2, minimumWidth: 2)
        let line = SimulatedLink(bytesPerSecond: 97_000, roundTrip: .milliseconds(300))
        let screen = SimulatedScreen(lanes: LaneConfiguration(network: limits), link: line, bytes: 360_000, isVaried: false)

        let waits = screen.waits(opening: 0..<12).sorted()

        print("of twelve pictures the first is there after \(Int(waits[0])) ms, the last after \(Int(waits[11]))")
        #expect(waits[0] < 4_100)
        #expect(waits[11] < 12 * 360_000 / 97.0 * 1.05)
    }

    @Test func `Small documents of an unmeasured lane lose at most one round trip`() {
        let wide = [LaneLimits(width: 8, reserved: 2), LaneLimits(width: 8, reserved: 2, minimumWidth: 2)].map { limits in
            let line = SimulatedLink(bytesPerSecond: 187_500, roundTrip: .milliseconds(50))
            let screen = SimulatedScreen(lanes: LaneConfiguration(network: limits), link: line, bytes: 1_200, isVaried: false)
            return screen.waits(opening: 0..<12).max() ?? 0
        }

        #expect(wide[1] <= wide[0] + 60)
    }
}
