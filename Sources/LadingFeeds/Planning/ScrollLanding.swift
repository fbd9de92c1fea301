/// The rows that will be in view when a scroll has come to rest.
struct ScrollLanding: Equatable, Sendable {
    /// The rows that will be seen as far as is known; nearest to their middle comes first.
    let expected: Range<Int>
    /// Those that will be seen even if the forecast is off by its spread: they count as visible.
    let certain: Range<Int>
    /// Those that may be seen, at most a screen more on either side.
    let possible: Range<Int>

    /// A landing that the view knows.
    init(told rows: Range<Int>) {
        (expected, certain, possible) = (rows, rows, rows)
    }

    /// - Parameter count: How many rows there are: no scroll goes on behind the last screen.
    init(_ rest: FlingForecast.Rest, of viewport: Viewport, count: Int) {
        let height = viewport.lines.count
        let end = Double(max(0, (count + viewport.columns - 1) / viewport.columns - height))
        let place = { (line: Double) in max(0, min(end, line)) }
        let first = Int(place(rest.line))
        let spread = min(rest.spread, Double(height))
        let low = Int(place(rest.line - spread))
        let high = Int(place(rest.line + spread).rounded(.up))
        expected = viewport.rows(of: first..<(first + height))
        certain = viewport.rows(of: high..<max(high, low + height))
        possible = viewport.rows(of: low..<(high + height))
    }
}
