import LadingFeeds
import LadingTesting
import Testing

@testable import LadingFeeds

/// Tests of predicted rest positions as tables of reports and predictions.
@Suite struct FlingPredictorTests {
    private static let grid = SimulatedGrid(columns: 3, height: 4.5, count: 3_000)

    /// Returns the predictions for a fling, one for each report.
    private func predictions(for fling: SimulatedFling, jitter: Duration = .zero) -> [FlingPredictor.RestPosition?] {
        var predictor = FlingPredictor()
        return fling.reportTimes.enumerated().map { number, time in
            let late = number.isMultiple(of: 2) ? jitter : .zero
            predictor.record(Self.grid.viewport(of: fling, at: time + late), at: time + late)
            return predictor.restPosition
        }
    }

    @Test(arguments: SimulatedFling.Curve.allCases, [(0.0, 40.0), (100.3, 400.0), (700.9, 300.2), (50.0, 56.5)])
    func `A fling is predicted from its third report, within about the stated uncertainty`(
        curve: SimulatedFling.Curve, way: (from: Double, to: Double)
    ) throws {
        let predictions = predictions(for: SimulatedFling(from: way.from, to: way.to, lasting: .seconds(2), curve: curve))

        #expect(predictions[1] == nil)
        for rest in try predictions[2...].map({ try #require($0) }) {
            #expect(abs(rest.gridRow - way.to) <= rest.expectedError + 1.5, "\(rest)")
        }
    }

    @Test(arguments: SimulatedFling.Curve.allCases) func `The uncertainty decreases towards the end of a fling`(curve: SimulatedFling.Curve)
        throws
    {
        let forecasts = predictions(for: SimulatedFling(from: 0, to: 60, lasting: .seconds(2), curve: curve))

        let halfway = try #require(forecasts[9])
        let nearly = try #require(forecasts[16])
        #expect(abs(halfway.gridRow - 60) < 2 && halfway.expectedError < 3)
        #expect(abs(nearly.gridRow - 60) < 1 && nearly.expectedError <= 1)
    }

    @Test(arguments: SimulatedFling.Curve.allCases) func `Alternating delays of reports change the prediction little`(
        curve: SimulatedFling.Curve
    )
        throws
    {
        let forecasts = predictions(for: SimulatedFling(from: 0, to: 60, lasting: .seconds(2), curve: curve), jitter: .milliseconds(15))

        let halfway = try #require(forecasts[9])
        #expect(abs(halfway.gridRow - 60) <= halfway.expectedError + 1)
    }

    @Test func `A scroll that does not slow down has no prediction`() {
        var predictor = FlingPredictor()
        for step in 0..<10 {
            predictor.record(Viewport(visible: (step * 2)..<(step * 2 + 8), rowsPerSecond: 20), at: .milliseconds(step * 100))
            #expect(predictor.restPosition == nil)
        }
    }

    /// Returns the prediction for a scroll that slows down from 40 grid rows per second and ends with one more report.
    private func prediction(after change: Viewport, at time: Duration) -> FlingPredictor.RestPosition? {
        var predictor = FlingPredictor()
        var line = 0
        for (step, speed) in [40, 30, 22, 17].enumerated() {
            line += speed / 10
            predictor.record(Viewport(visible: line..<(line + 8), rowsPerSecond: Double(speed)), at: .milliseconds(step * 100))
        }
        #expect(predictor.restPosition != nil)
        predictor.record(change, at: time)
        return predictor.restPosition
    }

    @Test func `A rest, a new push, a turn, a jump, a long pause and another column count reset the prediction`() {
        let next = Duration.milliseconds(400)

        #expect(prediction(after: Viewport(visible: 11..<19, rowsPerSecond: 12), at: next) != nil)
        #expect(prediction(after: Viewport(visible: 11..<19), at: next) == nil)
        #expect(prediction(after: Viewport(visible: 13..<21, rowsPerSecond: 30), at: next) == nil)
        #expect(prediction(after: Viewport(visible: 9..<17, rowsPerSecond: -12), at: next) == nil)
        #expect(prediction(after: Viewport(visible: 500..<508, rowsPerSecond: 12), at: next) == nil)
        #expect(prediction(after: Viewport(visible: 11..<19, rowsPerSecond: 12), at: .seconds(1)) == nil)
        #expect(prediction(after: Viewport(visible: 11..<19, rowsPerSecond: 12, columns: 2), at: next) == nil)
    }

    @Test func `A viewport that is reported twice counts once`() {
        let viewport = Viewport(visible: 11..<19, rowsPerSecond: 12)
        var predictor = FlingPredictor()
        for (step, speed) in [40.0, 30, 22].enumerated() {
            predictor.record(Viewport(visible: (step * 3)..<(step * 3 + 8), rowsPerSecond: speed), at: .milliseconds(step * 100))
        }
        predictor.record(viewport, at: .milliseconds(300))
        let rest = predictor.restPosition

        predictor.record(viewport, at: .milliseconds(300))

        #expect(rest != nil && predictor.restPosition == rest)
    }

    @Test(
        arguments: [
            // The velocity falls linearly (q = 0), then its square root (q = ½), its logarithm (q = 1), and −1 / its fourth root (q = 1¼).
            ([60, 50, 40], 6.125), ([100, 64, 36], 2.1), ([80, 40, 20], 2.0587), ([81, 33.1776, 16], 2.5333),
            // Less than one grid row remains.
            ([30, 20, 10], 0.125), ([0.9, 0.7, 0.5], 0.04),
            // Of more than three velocities the first, the middle and the last one count, and of more than six only the last six.
            ([80, 70, 20, 10], 1.0293), ([100, 60, 58, 50, 45, 37, 35], 10.5625),
        ] as [([Double], Double)], [1, -1])
    func `The remaining distance is that of the curve through the velocities, less what has passed since they were measured`(
        scroll: (velocities: [Double], remaining: Double), direction: Int
    ) throws {
        var predictor = FlingPredictor()
        var line = 100 - 2 * direction

        for (step, velocity) in scroll.velocities.enumerated() {
            line += 2 * direction
            let viewport = Viewport(visible: line..<(line + 8), rowsPerSecond: velocity * Double(direction))
            predictor.record(viewport, at: .milliseconds(step * 100))
        }

        let rest = try #require(predictor.restPosition)
        #expect(abs(rest.gridRow - (Double(line) + 0.5 + scroll.remaining * Double(direction))) < 0.001)
    }

    @Test(
        arguments: [
            // At 12 grid rows per second after 17, half a second passes at least one grid row and at most 18.
            (10, 12, 800, false), (11, 12, 800, true), (28, 12, 800, true), (29, 12, 800, false),
            // Later than half a second, and at the time of the last report.
            (14, 12, 801, false), (11, 12, 300, false), (11, 12, 301, true),
            // As fast as the error of a measurement allows, and faster.
            (11, 17 / 0.97, 400, true), (11, (17 / 0.97).nextUp, 400, false),
        ] as [(Int, Double, Int, Bool)])
    func `A report continues a scroll from grid row 10 within its time, its velocity and its distance`(
        line: Int, velocity: Double, milliseconds: Int, continues: Bool
    ) {
        let rest = prediction(after: Viewport(visible: line..<(line + 8), rowsPerSecond: velocity), at: .milliseconds(milliseconds))

        #expect((rest != nil) == continues)
    }

    @Test(arguments: [(19, 0, false), (20, 0, true), (19, 1, true)])
    func `A report of the same rows counts 20 ms after the last one`(milliseconds: Int, line: Int, counts: Bool) {
        var predictor = FlingPredictor()

        predictor.record(Viewport(visible: 0..<8, rowsPerSecond: 30), at: .zero)
        predictor.record(Viewport(visible: line..<(line + 8), rowsPerSecond: 20), at: .milliseconds(milliseconds))
        predictor.record(Viewport(visible: 2..<10, rowsPerSecond: 10), at: .milliseconds(120))

        #expect((predictor.restPosition != nil) == counts)
    }

    @Test(arguments: [(97, false), (96.9, true)] as [(Double, Bool)])
    func `A scroll has a prediction once it has slowed down by more than 3 %`(velocity: Double, isPredicted: Bool) {
        var predictor = FlingPredictor()

        for (step, velocity) in [100, 98, velocity].enumerated() {
            predictor.record(Viewport(visible: (step * 10)..<(step * 10 + 8), rowsPerSecond: velocity), at: .milliseconds(step * 100))
        }

        #expect((predictor.restPosition != nil) == isPredicted)
    }

    // MARK: Rows

    @Test func `The certain rows lie within the expected rows, and those within the possible rows`() {
        let viewport = Viewport(visible: 30..<45, rowsPerSecond: 10, columns: 3)

        let landing = ScrollLanding(FlingPredictor.RestPosition(gridRow: 40.2, expectedError: 1), of: viewport, count: 1_000)

        // Grid rows 42 and 43 are certain, 40 to 44 expected, 39 to 46 possible.
        #expect(landing.guaranteed == 126..<132)
        #expect(landing.expected == 120..<135)
        #expect(landing.possible == 117..<141)
    }

    @Test func `An uncertain prediction has no certain rows and at most one screen of possible rows on either side`() {
        let viewport = Viewport(visible: 30..<45, rowsPerSecond: 100, columns: 3)

        let landing = ScrollLanding(FlingPredictor.RestPosition(gridRow: 140, expectedError: 30), of: viewport, count: 1_000)

        #expect(landing.guaranteed.isEmpty)
        #expect(landing.possible == (135 * 3)..<(150 * 3))
    }

    @Test(arguments: [(298, 285..<300), (299, 285..<300), (300, 285..<300), (301, 288..<303)])
    func `A fling beyond the end comes to rest at the last screen`(count: Int, screen: Range<Int>) {
        let viewport = Viewport(visible: 30..<45, rowsPerSecond: 100, columns: 3)

        let landing = ScrollLanding(FlingPredictor.RestPosition(gridRow: 400, expectedError: 30), of: viewport, count: count)

        #expect(landing.guaranteed == screen)
        #expect(landing.guaranteed == landing.possible)
    }

    @Test(arguments: [(-10, 1_000), (10, 9)] as [(Double, Int)])
    func `A fling beyond the start, or in a list that fits into the view, comes to rest at the first screen`(gridRow: Double, count: Int) {
        let viewport = Viewport(visible: 30..<45, rowsPerSecond: -100, columns: 3)

        let landing = ScrollLanding(FlingPredictor.RestPosition(gridRow: gridRow, expectedError: 30), of: viewport, count: count)

        #expect(landing.expected == 0..<15)
        #expect(landing.guaranteed == 0..<15)
        #expect(landing.possible == 0..<15)
    }
}
