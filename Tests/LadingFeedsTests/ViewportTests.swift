import Testing

@testable import LadingFeeds

/// Tests of the limits of a viewport, and of the time for which rows stay in view.
@Suite struct ViewportTests {
    @Test(arguments: [(.nan, 0), (0.5, 0.5), (.infinity, 1_000_000), (-1_000_001, -1_000_000)] as [(Double, Double)])
    func `The velocity is limited, and 0 if it is not a number`(reported: Double, velocity: Double) {
        #expect(Viewport(visible: 0..<1, rowsPerSecond: reported).rowsPerSecond == velocity)
    }

    @Test(arguments: [(Int.min, 1), (0, 1), (1, 1), (2, 2), (200, 200), (201, 200)])
    func `A viewport has at least one column and at most 200`(reported: Int, columns: Int) {
        #expect(Viewport(visible: 0..<1, columns: reported).columns == columns)
    }

    @Test(arguments: [(-1, 0), (0, 0), (1, 1), (1_099_511_627_776, 1_099_511_627_776), (1_099_511_627_777, 1_099_511_627_776)])
    func `A landing is an index from 0 to 2^40`(reported: Int, landing: Int) {
        #expect(Viewport(visible: 0..<1, landing: reported).landing == landing)
    }

    @Test(arguments: [(-1, true), (-0.5, true), (-0.0, false), (0, false), (0.5, false), (1, false)] as [(Double, Bool)])
    func `A negative velocity is backwards`(velocity: Double, isBackwards: Bool) {
        #expect(Viewport(visible: 0..<1, rowsPerSecond: velocity).isScrollingBackwards == isBackwards)
    }

    @Test(arguments: [(3, 1, 2), (5, 1, 2), (6, 2, 1), (8, 2, 1)])
    func `A row stays in view until its grid row has passed the edge`(index: Int, forwards: Int, backwards: Int) {
        // Grid rows 1 and 2 are visible.
        for velocity in [0.5, 1, 4] {
            let viewports = [velocity, -velocity].map { Viewport(visible: 3..<9, rowsPerSecond: $0, columns: 3) }

            #expect(viewports.map { $0.timeInView(of: index) } == [Double(forwards) / velocity, Double(backwards) / velocity])
        }
    }

    @Test(arguments: [(0..<3, 1, 3), (0..<9, 3, 3), (0..<7, 3, 3), (2..<4, 3, 2)], [0.5, 1, -1, 4])
    func `A new row stays in view until all visible grid rows have passed`(
        viewport: (visible: Range<Int>, columns: Int, gridRows: Int), velocity: Double
    ) {
        let (visible, columns, gridRows) = viewport

        let time = Viewport(visible: visible, rowsPerSecond: velocity, columns: columns).timeInViewOfNewRows

        #expect(time == Double(gridRows) / abs(velocity))
    }

    @Test(arguments: [Viewport(visible: 3..<9), Viewport(visible: 3..<3, rowsPerSecond: 1)])
    func `At rest and in an empty view the time is unlimited`(viewport: Viewport) {
        #expect(viewport.timeInView(of: 3) == .infinity)
        #expect(viewport.timeInViewOfNewRows == .infinity)
    }
}
