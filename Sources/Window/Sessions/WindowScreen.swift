/// What one open page shows: it notes changes in the page's mailbox, says what is to be sent of them, and takes what the page reports.
protocol WindowScreen: Sendable {
    /// Notes everything that the page needs to show the screen anew.
    func noteAll()
    /// What brings the page up to date with these changes, as it is now.
    func events(for changes: ChangeLog.Changes) -> [WindowEvent]
    /// The page is looked at again, or is not any more. Nothing is loaded for a page that nobody looks at.
    func setVisible(_ isVisible: Bool)
    func show(_ report: ViewportReport)
    func arrange(_ wish: ArrangementWish)
    /// Asks again for a row that failed; nil for the screen as a whole.
    func retry(_ row: RowID?)
    func refresh()
    func stop()
}

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
