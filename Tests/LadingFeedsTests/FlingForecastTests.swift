import LadingFeeds
import LadingTesting
import Testing

@testable import LadingFeeds

/// Where flings are expected to end, as tables: reports in, a line and a spread out.
@Suite struct FlingForecastTests {
    private static let grid = SimulatedGrid(columns: 3, height: 4.5, count: 3_000)

    /// The forecasts of a fling, one for each report.
    private func forecasts(_ fling: SimulatedFling, jitter: Duration = .zero) -> [FlingForecast.Rest?] {
        var forecast = FlingForecast()
        return fling.reportTimes.enumerated().map { number, time in
            let late = number.isMultiple(of: 2) ? jitter : .zero
            forecast.note(Self.grid.viewport(of: fling, at: time + late), at: time + late)
            return forecast.rest
        }
    }

    @Test(arguments: SimulatedFling.Curve.allCases, [(0.0, 40.0), (100.3, 400.0), (700.9, 300.2), (50.0, 56.5)])
    func `A fling is foretold from its third report, and off by hardly more than it says`(
        curve: SimulatedFling.Curve, way: (from: Double, to: Double)
    ) throws {
        let forecasts = forecasts(SimulatedFling(from: way.from, to: way.to, lasting: .seconds(2), curve: curve))

        #expect(forecasts[1] == nil)
        for rest in try forecasts[2...].map({ try #require($0) }) {
            #expect(abs(rest.line - way.to) <= rest.spread + 1.5, "\(rest)")
        }
    }

    @Test(arguments: SimulatedFling.Curve.allCases) func `The nearer the rest, the surer the forecast`(curve: SimulatedFling.Curve) throws {
        let forecasts = forecasts(SimulatedFling(from: 0, to: 60, lasting: .seconds(2), curve: curve))

        let halfway = try #require(forecasts[9])
        let nearly = try #require(forecasts[16])
        #expect(abs(halfway.line - 60) < 2 && halfway.spread < 3)
        #expect(abs(nearly.line - 60) < 1 && nearly.spread <= 1)
    }

    @Test(arguments: SimulatedFling.Curve.allCases) func `Reports that come late by turns do little harm`(curve: SimulatedFling.Curve)
        throws
    {
        let forecasts = forecasts(SimulatedFling(from: 0, to: 60, lasting: .seconds(2), curve: curve), jitter: .milliseconds(15))

        let halfway = try #require(forecasts[9])
        #expect(abs(halfway.line - 60) <= halfway.spread + 1)
    }

    @Test func `What does not slow down ends nowhere`() {
        var forecast = FlingForecast()
        for step in 0..<10 {
            forecast.note(Viewport(visible: (step * 2)..<(step * 2 + 8), rowsPerSecond: 20), at: .milliseconds(step * 100))
            #expect(forecast.rest == nil)
        }
    }

    /// Reports of a scroll that slows down from 40 lines a second, and then one more.
    private func afterSlowing(_ change: Viewport, at time: Duration) -> FlingForecast.Rest? {
        var forecast = FlingForecast()
        var line = 0
        for (step, speed) in [40, 30, 22, 17].enumerated() {
            line += speed / 10
            forecast.note(Viewport(visible: line..<(line + 8), rowsPerSecond: Double(speed)), at: .milliseconds(step * 100))
        }
        #expect(forecast.rest != nil)
        forecast.note(change, at: time)
        return forecast.rest
    }

    @Test func `A rest, a new push, a turn, a jump, a long silence and another width forget what was foretold`() {
        let next = Duration.milliseconds(400)

        #expect(afterSlowing(Viewport(visible: 11..<19, rowsPerSecond: 12), at: next) != nil)
        #expect(afterSlowing(Viewport(visible: 11..<19), at: next) == nil)
        #expect(afterSlowing(Viewport(visible: 13..<21, rowsPerSecond: 30), at: next) == nil)
        #expect(afterSlowing(Viewport(visible: 9..<17, rowsPerSecond: -12), at: next) == nil)
        #expect(afterSlowing(Viewport(visible: 500..<508, rowsPerSecond: 12), at: next) == nil)
        #expect(afterSlowing(Viewport(visible: 11..<19, rowsPerSecond: 12), at: .seconds(1)) == nil)
        #expect(afterSlowing(Viewport(visible: 11..<19, rowsPerSecond: 12, columns: 2), at: next) == nil)
    }

    @Test func `A viewport that is told twice at once counts once`() {
        let viewport = Viewport(visible: 11..<19, rowsPerSecond: 12)
        var forecast = FlingForecast()
        for (step, speed) in [40.0, 30, 22].enumerated() {
            forecast.note(Viewport(visible: (step * 3)..<(step * 3 + 8), rowsPerSecond: speed), at: .milliseconds(step * 100))
        }
        forecast.note(viewport, at: .milliseconds(300))
        let rest = forecast.rest

        forecast.note(viewport, at: .milliseconds(300))

        #expect(rest != nil && forecast.rest == rest)
    }

    // MARK: Rows

    @Test func `What is certain lies inside what is expected, and that inside what is possible`() {
        let viewport = Viewport(visible: 30..<45, rowsPerSecond: 10, columns: 3)

        let landing = ScrollLanding(FlingForecast.Rest(line: 40.2, spread: 1), of: viewport, count: 1_000)

        // Lines 42 and 43 whatever happens, 40 to 44 as foretold, 39 to 46 at the utmost.
        #expect(landing.certain == 126..<132)
        #expect(landing.expected == 120..<135)
        #expect(landing.possible == 117..<141)
    }

    @Test func `A forecast that is far from sure makes nothing certain, and no more possible than a screen on either side`() {
        let viewport = Viewport(visible: 30..<45, rowsPerSecond: 100, columns: 3)

        let landing = ScrollLanding(FlingForecast.Rest(line: 140, spread: 30), of: viewport, count: 1_000)

        #expect(landing.certain.isEmpty)
        #expect(landing.possible == (135 * 3)..<(150 * 3))
    }

    @Test func `A fling that would go on behind the end comes to rest at the last screen`() {
        let viewport = Viewport(visible: 30..<45, rowsPerSecond: 100, columns: 3)

        let landing = ScrollLanding(FlingForecast.Rest(line: 400, spread: 30), of: viewport, count: 299)

        #expect(landing.certain == (95 * 3)..<(100 * 3))
        #expect(landing.certain == landing.possible)
    }
}
