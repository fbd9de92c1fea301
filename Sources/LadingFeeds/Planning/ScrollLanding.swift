/// The rows that will be visible when a scroll has come to rest.
struct ScrollLanding: Equatable, Sendable {
    /// The expected rows; the ones nearest to their middle are loaded first.
    let expected: Range<Int>
    /// The rows that will be visible within the uncertainty of the prediction; they count as visible.
    let guaranteed: Range<Int>
    /// The rows that may be visible, at most one more screen on either side.
    let possible: Range<Int>

    /// Creates a landing that the view has reported.
    init(reported rows: Range<Int>) {
        (expected, guaranteed, possible) = (rows, rows, rows)
    }

    /// - Parameter count: The number of rows; a scroll ends at the last screen.
    init(_ rest: FlingPredictor.RestPosition, of viewport: Viewport, count: Int) {
        let height = viewport.gridRows.count
        let end = Double(max(0, (count + viewport.columns - 1) / viewport.columns - height))
        let place = { (gridRow: Double) in max(0, min(end, gridRow)) }
        let first = Int(place(rest.gridRow))
        let spread = min(rest.expectedError, Double(height))
        let low = Int(place(rest.gridRow - spread))
        let high = Int(place(rest.gridRow + spread).rounded(.up))
        expected = viewport.rows(inGridRows: first..<(first + height))
        guaranteed = viewport.rows(inGridRows: high..<max(high, low + height))
        possible = viewport.rows(inGridRows: low..<(high + height))
    }
}
