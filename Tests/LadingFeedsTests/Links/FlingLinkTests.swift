import LadingOperations
import LadingTesting
import Testing

/// Tests of the time until all visible rows are loaded after a fling, over an exclusive link in simulated time.
@Suite struct FlingLinkTests {
    private static let grid = SimulatedGrid(columns: 3, height: 5.4, count: 500)
    private static let seriesCount = 6

    /// Returns flings of two seconds between landings without common rows, with the curves of iOS and Android in turn.
    private func randomFlings(_ random: inout SeededRandom) -> [SimulatedFling] {
        var landings = [0.0]
        while landings.count <= 7 {
            let landing = Double.random(in: 0...Self.grid.lastGridRow, using: &random)
            if landings.allSatisfy({ abs($0 - landing) > Self.grid.height + 1 }) { landings.append(landing) }
        }
        return zip(landings, landings.dropFirst()).enumerated().map { number, way in
            SimulatedFling(from: way.0, to: way.1, lasting: .seconds(2), curve: number.isMultiple(of: 2) ? .exponential : .power)
        }
    }

    @Test func `At the end of a fling the link carries only the missing cells, part of which were loaded before`() {
        var random = SeededRandom(for: "flings over a line")
        let ratios = (0..<Self.seriesCount).flatMap { _ in
            let line = SimulatedLink(bytesPerSecond: 187_500, roundTrip: .milliseconds(50))
            let limits = LaneLimits(width: 8, reserved: 2, minimumWidth: 2)
            let screen = SimulatedScreen(lanes: LaneConfiguration(network: limits), link: line, bytes: 120_000, count: Self.grid.count)
            return screen.waitRatios(of: randomFlings(&random), over: Self.grid)
        }.sorted()

        print("over the time of the line: median \(ratios[ratios.count / 2]), at most \(ratios[ratios.count - 1])")
        #expect(ratios[ratios.count / 2] < 0.92)
        #expect(ratios[ratios.count * 9 / 10] < 1)
        #expect(ratios[ratios.count - 1] < 1.1)
    }
}
