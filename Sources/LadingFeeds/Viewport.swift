/// What is to be seen of a list or a grid: the visible rows, how fast they pass, and where they will come to rest.
public struct Viewport: Hashable, Sendable {
    /// The most rows that count as visible at once, however large a screen claims to be.
    public static let rowLimit = 200
    /// The highest speed that is believed, in lines per second.
    public static let velocityLimit = 1_000_000.0

    /// The indices of the rows on the screen.
    public let visible: Range<Int>
    /// How fast lines pass, in lines per second; positive when the list is scrolled towards its end. A line is one row of a list.
    public let rowsPerSecond: Double
    /// The index that will be the first visible one when the scroll comes to rest, where that is known.
    public let landing: Int?
    /// How many rows stand side by side: 1 in a list, more in a grid.
    public let columns: Int

    /// - Parameters:
    ///   - visible: Cut to the `rowLimit` rows in its middle, and to indices from 0.
    ///   - rowsPerSecond: What is no number counts as rest.
    public init(visible: Range<Int>, rowsPerSecond: Double = 0, landing: Int? = nil, columns: Int = 1) {
        let range = visible.clamped(to: 0..<Int.max)
        let excess = max(0, range.count - Self.rowLimit)
        self.visible = (range.lowerBound + excess / 2)..<(range.upperBound - (excess - excess / 2))
        self.rowsPerSecond = rowsPerSecond.isNaN ? 0 : max(-Self.velocityLimit, min(Self.velocityLimit, rowsPerSecond))
        self.landing = landing.map { max(0, $0) }
        self.columns = max(1, min(Self.rowLimit, columns))
    }

    /// The index in the middle of the visible rows.
    public var middle: Int { visible.lowerBound + visible.count / 2 }

    /// The same rows at rest.
    public var atRest: Viewport { Viewport(visible: visible, columns: columns) }

    /// The same rows at other indices.
    public func moved(by rows: Int) -> Viewport {
        let first = max(0, visible.lowerBound + rows)
        return Viewport(visible: first..<(first + visible.count), columns: columns)
    }

    /// As many rows at the top of a list, at rest.
    public var atTop: Viewport { Viewport(visible: 0..<visible.count, columns: columns) }
}

// MARK: - What will be seen

extension Viewport {
    /// The rows that will be visible when the scroll comes to rest, where that is known.
    var landingRows: Range<Int>? {
        landing.map { $0..<($0 + visible.count) }
    }

    /// For how many seconds a visible row will stay in view.
    func timeInView(of index: Int) -> Double {
        guard rowsPerSecond != 0, !visible.isEmpty else { return .infinity }
        let lines = rowsPerSecond > 0 ? gridRow(of: index) - gridRow(of: visible.lowerBound) : gridRow(of: visible.upperBound - 1) - gridRow(of: index)
        return Double(lines + 1) / abs(rowsPerSecond)
    }

    /// For how many seconds a row that comes into view will stay there.
    var timeInViewOfNewRows: Double {
        guard rowsPerSecond != 0, !visible.isEmpty else { return .infinity }
        return Double(gridRow(of: visible.upperBound - 1) - gridRow(of: visible.lowerBound) + 1) / abs(rowsPerSecond)
    }

    /// How many lines an index lies from the middle of a range.
    func distance(of index: Int, in range: Range<Int>) -> Int {
        abs(gridRow(of: index) - gridRow(of: range.lowerBound + range.count / 2))
    }

    /// As many rows as a number of lines has, next to the visible ones.
    func rows(ahead gridRows: Int, backwards: Bool) -> Range<Int> {
        let rows = gridRows * columns
        return backwards
            ? max(0, visible.lowerBound - rows)..<visible.lowerBound : visible.upperBound..<(visible.upperBound + rows)
    }

    /// The lines of the visible rows.
    var gridRows: Range<Int> {
        visible.isEmpty
            ? gridRow(of: visible.lowerBound)..<gridRow(of: visible.lowerBound) : gridRow(of: visible.lowerBound)..<(gridRow(of: visible.upperBound - 1) + 1)
    }

    /// The rows of some lines.
    func rows(inGridRows gridRows: Range<Int>) -> Range<Int> { (gridRows.lowerBound * columns)..<(gridRows.upperBound * columns) }

    private func gridRow(of index: Int) -> Int { index / columns }
}
