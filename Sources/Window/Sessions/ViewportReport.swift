/// What a page tells about its viewport: zero-based indices, the last one included.
struct ViewportReport: Decodable, Sendable {
    /// The list that the indices belong to.
    let list: String
    /// Counts the reports of a page; an older one than the last is ignored.
    let seq: Int
    let first: Int
    let last: Int
    /// Positive towards the end of the list.
    let rowsPerSecond: Double?
    /// The first visible index when the scroll will have come to rest.
    let landing: Int?
    /// How many rows stand side by side; nil for a list.
    var columns: Int?

    /// The rows in view, whatever the page claims: in order, and not beyond what any list can have.
    var visible: Range<Int> {
        let first = first.clampedToList
        return first..<(max(first, last.clampedToList) + 1)
    }
}

extension Int {
    /// An index from outside, brought into the range where indices can be calculated with.
    var clampedToList: Int { Swift.min(Swift.max(0, self), 1 << 40) }
}
