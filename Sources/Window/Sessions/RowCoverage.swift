/// Which rows a page has been sent, as far as it still has them.
///
/// A page keeps the rows near the viewport it reported last and forgets the others; this mirrors it. A synchronous value.
struct RowCoverage {
    /// How many rows on either side of a reported viewport count as kept; a page keeps twice as many.
    static let kept = 1_000
    /// How many screens are sent beyond the viewport on either side, as far as their rows are known.
    private static let screensBeyond = 4
    /// The most rows that are sent for one viewport.
    static let rowLimit = 250

    private var sent: Set<Int> = []

    /// The indices around a viewport whose rows the page does not have.
    mutating func missing(around visible: Range<Int>, of count: Int) -> [Int] {
        let kept = visible.widened(by: Self.kept)
        sent = sent.filter(kept.contains)
        let margin = min(visible.count * Self.screensBeyond, max(0, Self.rowLimit - visible.count) / 2)
        return visible.widened(by: margin).clamped(to: 0..<count).filter { !sent.contains($0) }
    }

    /// The row at an index was sent.
    mutating func markSent(_ index: Int) {
        sent.insert(index)
    }
}

extension Range<Int> {
    fileprivate func widened(by margin: Int) -> Range<Int> {
        Swift.max(0, lowerBound - margin)..<(upperBound + margin)
    }
}
