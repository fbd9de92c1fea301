import LadingOperations
import LadingTesting
import Testing

/// How soon a grid is whole where a fling ends, over a line that it has to itself, in simulated time.
@Suite struct FlingLineTests {
    private static let grid = SimulatedGrid(columns: 3, height: 5.4, count: 500)
    private static let courses = 6

    /// Flings of two seconds between landings that show nothing of each other, by the curves of iOS and Android in turn.
    private func course(_ random: inout SeededRandom) -> [SimulatedFling] {
        var landings = [0.0]
        while landings.count <= 7 {
            let landing = Double.random(in: 0...Self.grid.lastLine, using: &random)
            if landings.allSatisfy({ abs($0 - landing) > Self.grid.height + 1 }) { landings.append(landing) }
        }
        return zip(landings, landings.dropFirst()).enumerated().map { number, way in
            SimulatedFling(from: way.0, to: way.1, lasting: .seconds(2), curve: number.isMultiple(of: 2) ? .exponential : .power)
        }
    }

    @Test func `Where a fling ends the line carries nothing else until that is whole, and has mostly carried a part before`() {
        var random = SeededRandom(for: "flings over a line")
        let ratios = (0..<Self.courses).flatMap { _ in
            let line = SimulatedLine(bytesPerSecond: 187_500, roundTrip: .milliseconds(50))
            let limits = LaneLimits(width: 8, reserved: 2, narrowest: 2)
            let screen = SimulatedScreen(lanes: LanePlan(network: limits), line: line, bytes: 120_000, count: Self.grid.count)
            return screen.fling(course(&random), over: Self.grid)
        }.sorted()

        print("over the time of the line: median \(ratios[ratios.count / 2]), at most \(ratios[ratios.count - 1])")
        #expect(ratios[ratios.count / 2] < 0.92)
        #expect(ratios[ratios.count * 9 / 10] < 1)
        #expect(ratios[ratios.count - 1] < 1.1)
    }
}
