/// The rows whose current version a page holds. A synchronous value.
///
/// A page retains the rows near its last reported viewport and drops the others; this value tracks them in blocks of 64 rows. Every
/// change in a watched block is sent; when a block is no longer watched, the version up to which its rows are known is recorded.
struct WatchedRows: Sendable {
    /// The number of rows on either side of a reported viewport that count as retained; a page retains twice as many.
    static let retainedMargin = 1_000
    /// The number of screens on either side of the viewport whose known rows are sent.
    private static let screensAhead = 4
    /// The maximum number of rows sent for one viewport, unless more are in view.
    static let rowLimit = 250
    private static let blockSize = 64

    private struct Block: Sendable {
        /// The sent rows, one bit each.
        var sent: UInt64 = 0
        /// The version up to which the sent rows are current on the page; nil while the block is watched.
        var unwatchedSince: Int?
    }

    private var blocks: [Int: Block] = [:]

    /// Returns the indices to watch around a viewport: whole blocks around the rows that are sent.
    static func watched(around visible: Range<Int>, of count: Int) -> Range<Int> {
        let sent = sentRange(around: visible, count)
        guard !sent.isEmpty else { return 0..<0 }
        let first = sent.lowerBound / blockSize * blockSize
        let end = (sent.upperBound + blockSize - 1) / blockSize * blockSize
        return first..<max(first, min(end, count))
    }

    /// Returns the indices around a viewport whose rows the page does not have in their current version.
    ///
    /// - Parameters:
    ///   - latest: The latest version of all stored rows.
    ///   - version: Returns the version of the row at an index.
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

    /// Marks the row at an index as sent.
    mutating func markSent(_ index: Int) {
        blocks[index / Self.blockSize, default: Block()].sent |= Self.bit(of: index)
    }

    private func wasSent(_ index: Int) -> Bool {
        blocks[index / Self.blockSize].map { $0.sent & Self.bit(of: index) != 0 } ?? false
    }

    /// Marks rows as not sent that have changed while their block was not watched.
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
