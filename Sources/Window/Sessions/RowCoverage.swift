/// Which rows a page has been sent, as far as it still has them.
///
/// A page keeps the rows within `kept` of the viewport it reported last and forgets the others; this mirrors it. A synchronous value.
struct RowCoverage {
    /// How many rows on either side of a reported viewport count as kept; a page keeps twice as many.
    static let kept = 1_000
    /// How many screens are sent beyond the viewport on either side, as far as their rows are known.
    private static let screensBeyond = 4

    private var sent: Set<Int> = []

    /// The indices around a viewport that the page does not have; they count as sent from now on.
    mutating func cover(_ visible: Range<Int>, of count: Int) -> [Int] {
        let kept = visible.widened(by: Self.kept)
        sent = sent.filter(kept.contains)
        let near = visible.widened(by: visible.count * Self.screensBeyond).clamped(to: 0..<count)
        return near.filter { sent.insert($0).inserted }
    }
}

extension Range<Int> {
    fileprivate func widened(by margin: Int) -> Range<Int> {
        Swift.max(0, lowerBound - margin)..<(upperBound + margin)
    }
}
