/// The rows that will be in view when a scroll has come to rest.
struct ScrollLanding: Equatable, Sendable {
    /// The rows that will be seen as far as is known; nearest to their middle comes first.
    let expected: Range<Int>
    /// Those that will be seen even if the forecast is off by its spread: they count as visible.
    let certain: Range<Int>
    /// Those that may be seen, at most a screen more on either side.
    let possible: Range<Int>

    /// A landing that the view knows.
    init(reported rows: Range<Int>) {
        (expected, certain, possible) = (rows, rows, rows)
    }

    /// - Parameter count: How many rows there are: no scroll goes on behind the last screen.
    init(_ rest: FlingPredictor.RestPosition, of viewport: Viewport, count: Int) {
        let height = viewport.gridRows.count
        let end = Double(max(0, (count + viewport.columns - 1) / viewport.columns - height))
        let place = { (line: Double) in max(0, min(end, line)) }
        let first = Int(place(rest.gridRow))
        let spread = min(rest.uncertainty, Double(height))
        let low = Int(place(rest.gridRow - spread))
        let high = Int(place(rest.gridRow + spread).rounded(.up))
        expected = viewport.rows(inGridRows: first..<(first + height))
        certain = viewport.rows(inGridRows: high..<max(high, low + height))
        possible = viewport.rows(inGridRows: low..<(high + height))
    }
}
