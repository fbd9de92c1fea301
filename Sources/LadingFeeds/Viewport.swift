/// What is to be seen of a list: the visible rows and how fast they pass.
public struct Viewport: Hashable, Sendable {
    /// The most rows that count as visible at once, however large a screen claims to be.
    public static let rowLimit = 200

    /// The indices of the rows on the screen.
    public let visible: Range<Int>
    /// How fast rows pass, in rows per second; positive when the list is scrolled towards its end.
    public let rowsPerSecond: Double
    /// The index that will be the first visible one when the scroll comes to rest, where that is known.
    public let landing: Int?

    /// - Parameter visible: Cut to the `rowLimit` rows in its middle, and to indices from 0.
    public init(visible: Range<Int>, rowsPerSecond: Double = 0, landing: Int? = nil) {
        let range = visible.clamped(to: 0..<Int.max)
        let excess = max(0, range.count - Self.rowLimit)
        self.visible = (range.lowerBound + excess / 2)..<(range.upperBound - (excess - excess / 2))
        self.rowsPerSecond = rowsPerSecond
        self.landing = landing
    }

    /// The index in the middle of the visible rows.
    public var middle: Int { visible.lowerBound + visible.count / 2 }
}
