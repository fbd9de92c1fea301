/// The visible rows of a list or a grid, the scroll velocity, and the landing of the scroll.
public struct Viewport: Hashable, Sendable {
    /// The maximum number of visible rows; a larger viewport is truncated.
    package static let rowLimit = 1_000
    /// The maximum number of columns.
    private static let columnLimit = 200
    /// The maximum index, so that sums of indices cannot overflow.
    package static let indexLimit = 1 << 40
    /// The maximum velocity, in grid rows per second.
    package static let velocityLimit = 1_000_000.0

    /// The indices of the visible rows.
    public let visible: Range<Int>
    /// The velocity in grid rows per second, positive towards the end, from −1,000,000 to 1,000,000. A grid row of a list is one row.
    public let rowsPerSecond: Double
    /// The first visible index when the scroll comes to rest; nil if unknown.
    public let landing: Int?
    /// The number of columns: 1 in a list, up to 200 in a grid.
    public let columns: Int

    /// Creates a viewport.
    ///
    /// - Parameters:
    ///   - visible: The visible indices, truncated to the 1,000 in the middle and to indices from 0 to 2^40.
    ///   - rowsPerSecond: The velocity in grid rows per second, positive towards the end; NaN counts as 0.
    ///   - landing: The first visible index when the scroll comes to rest; nil if unknown, less than 0 counts as 0, more than 2^40 as 2^40.
    public init(visible: Range<Int>, rowsPerSecond: Double = 0, landing: Int? = nil, columns: Int = 1) {
        let range = visible.clamped(to: 0..<Self.indexLimit)
        let excess = max(0, range.count - Self.rowLimit)
        self.visible = (range.lowerBound + excess / 2)..<(range.upperBound - (excess - excess / 2))
        self.rowsPerSecond = rowsPerSecond.isNaN ? 0 : max(-Self.velocityLimit, min(Self.velocityLimit, rowsPerSecond))
        self.landing = landing.map { max(0, min($0, Self.indexLimit)) }
        self.columns = max(1, min(Self.columnLimit, columns))
    }

    /// The index in the middle of the visible rows.
    package var middle: Int { visible.lowerBound + visible.count / 2 }

    /// The same rows without velocity and landing.
    package var atRest: Viewport { Viewport(visible: visible, columns: columns) }

    /// Returns the viewport at rest, moved by a number of rows.
    package func moved(by rows: Int) -> Viewport {
        let first = max(0, visible.lowerBound + rows)
        return Viewport(visible: first..<(first + visible.count), columns: columns)
    }

    /// A viewport of the same length at the top of the list, at rest.
    package var atTop: Viewport { Viewport(visible: 0..<visible.count, columns: columns) }
}

// MARK: - Rows in view

extension Viewport {
    /// Whether the viewport moves towards the start.
    var isScrollingBackwards: Bool { rowsPerSecond < 0 }

    /// The visible rows when the scroll comes to rest; nil if unknown.
    var landingRows: Range<Int>? {
        landing.map { $0..<($0 + visible.count) }
    }

    /// Returns the time for which a visible row stays in view, in seconds.
    func timeInView(of index: Int) -> Double {
        guard rowsPerSecond != 0, !visible.isEmpty else { return .infinity }
        let gridRow = gridRow(of: index)
        let remaining = isScrollingBackwards ? gridRows.upperBound - gridRow : gridRow + 1 - gridRows.lowerBound
        return Double(remaining) / abs(rowsPerSecond)
    }

    /// The time for which a row stays in view after it becomes visible, in seconds.
    var timeInViewOfNewRows: Double {
        guard rowsPerSecond != 0, !visible.isEmpty else { return .infinity }
        return Double(gridRows.count) / abs(rowsPerSecond)
    }

    /// Returns the number of grid rows between an index and the middle of a range.
    func distance(of index: Int, in range: Range<Int>) -> Int {
        abs(gridRow(of: index) - gridRow(of: range.lowerBound + range.count / 2))
    }

    /// Returns the rows of the grid rows next to the visible ones, in one direction.
    func rows(ahead gridRows: Int, backwards: Bool) -> Range<Int> {
        let rows = gridRows * columns
        return backwards
            ? max(0, visible.lowerBound - rows)..<visible.lowerBound : visible.upperBound..<(visible.upperBound + rows)
    }

    /// The visible grid rows.
    var gridRows: Range<Int> {
        visible.isEmpty
            ? gridRow(of: visible.lowerBound)..<gridRow(of: visible.lowerBound)
            : gridRow(of: visible.lowerBound)..<(gridRow(of: visible.upperBound - 1) + 1)
    }

    /// Returns the rows of some grid rows.
    func rows(inGridRows gridRows: Range<Int>) -> Range<Int> { (gridRows.lowerBound * columns)..<(gridRows.upperBound * columns) }

    private func gridRow(of index: Int) -> Int { index / columns }
}
