import LadingFeeds

/// A page's report of its viewport, in zero-based indices, including the last.
struct ViewportReport: Decodable, Sendable {
    /// The revision of the list that the indices belong to.
    let list: String
    /// The sequence number of the report; a report older than the last is ignored.
    let seq: Int
    let first: Int
    let last: Int
    /// The scroll velocity, positive towards the end of the list.
    let rowsPerSecond: Double?
    /// The first visible index after the scroll has come to rest.
    let landing: Int?
    /// The number of rows side by side; nil for a list.
    var columns: Int?

    /// The rows in view, sanitized: ordered, at most `Viewport.rowLimit`, and within the bounds of any list.
    var visible: Range<Int> {
        let first = first.clampedToList
        return Viewport(visible: first..<(max(first, last.clampedToList) + 1)).visible
    }
}

extension Int {
    /// The index or count of an outside source, clamped to a range in which sums and differences cannot overflow.
    var clampedToList: Int { Swift.min(Swift.max(0, self), 1 << 40) }
}
