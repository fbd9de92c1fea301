/// Which rows a page has been sent, as far as it still has them and they are still what they were.
///
/// A page keeps the rows near the viewport it reported last and forgets the others; this mirrors it, in blocks of 64 rows. While a block is
/// watched every change in it is sent; when it is left, the version is noted that its rows are known up to. A synchronous value.
struct RowCoverage: Sendable {
    /// How many rows on either side of a reported viewport count as kept; a page keeps twice as many.
    static let retainedMargin = 1_000
    /// How many screens are sent beyond the viewport on either side, as far as their rows are known.
    private static let screensAhead = 4
    /// The most rows that are sent for one viewport.
    static let rowLimit = 250
    private static let blockSize = 64

    private struct Block: Sendable {
        /// One bit for each row that was sent.
        var sent: UInt64 = 0
        /// The version up to which the rows that were sent are what the page has; nil while the block is watched.
        var unwatchedSince: Int?
    }

    private var blocks: [Int: Block] = [:]

    /// The indices to be watched around a viewport: whole blocks around the rows that are sent.
    static func watched(around visible: Range<Int>, of count: Int) -> Range<Int> {
        let sent = sentRange(around: visible, count)
        guard !sent.isEmpty else { return 0..<0 }
        let first = sent.lowerBound / blockSize * blockSize
        let end = (sent.upperBound + blockSize - 1) / blockSize * blockSize
        return first..<max(first, min(end, count))
    }

    /// The indices around a viewport whose rows the page does not have as they are now.
    ///
    /// - Parameters:
    ///   - latest: The version of the row that was stored last.
    ///   - version: The version of the row at an index.
    mutating func missing(around visible: Range<Int>, of count: Int, latest: Int, version: (Int) -> Int) -> [Int] {
        let watched = Self.watched(around: visible, of: count)
        let retained = visible.expanded(by: Self.retainedMargin)
        blocks = blocks.filter { retained.overlaps(Self.rows(of: $0.key)) }
        for key in blocks.keys {
            if watched.overlaps(Self.rows(of: key)) {
                invalidateChanged(inBlock: key, version)
            } else if blocks[key]?.unwatchedSince == nil {
                blocks[key]?.unwatchedSince = latest
            }
        }
        return Self.sentRange(around: visible, count).filter { !wasSent($0) }
    }

    /// The row at an index was sent.
    mutating func markSent(_ index: Int) {
        blocks[index / Self.blockSize, default: Block()].sent |= Self.bit(of: index)
    }

    private func wasSent(_ index: Int) -> Bool {
        blocks[index / Self.blockSize].map { $0.sent & Self.bit(of: index) != 0 } ?? false
    }

    /// Rows that have changed while their block was not watched count as not sent.
    private mutating func invalidateChanged(inBlock key: Int, _ version: (Int) -> Int) {
        guard var block = blocks[key], let leftAt = block.unwatchedSince else { return }
        for index in Self.rows(of: key) where block.sent & Self.bit(of: index) != 0 && version(index) > leftAt {
            block.sent &= ~Self.bit(of: index)
        }
        block.unwatchedSince = nil
        blocks[key] = block
    }

    private static func sentRange(around visible: Range<Int>, _ count: Int) -> Range<Int> {
        let margin = min(visible.count * screensAhead, max(0, rowLimit - visible.count) / 2)
        return visible.expanded(by: margin).clamped(to: 0..<count)
    }

    private static func rows(of block: Int) -> Range<Int> { block * blockSize..<(block + 1) * blockSize }

    private static func bit(of index: Int) -> UInt64 { 1 << UInt64(index % blockSize) }
}

extension Range<Int> {
    fileprivate func expanded(by margin: Int) -> Range<Int> {
        Swift.max(0, lowerBound - margin)..<(upperBound + margin)
    }
}
