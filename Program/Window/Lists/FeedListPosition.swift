import LadingFeeds

/// The position of a page in the list of a feed: the list that was sent last, whether the page has it, and the rows in view.
///
/// A synchronous value. The screen chooses the position in another list, with the help of `placeOfPendingRow` and `placeOfNearestRow`.
///
/// | event | sent list | position |
/// |---|---|---|
/// | the page is rendered with a list | that list; acknowledged unless another is expected | the same |
/// | the page reports rows of the list | acknowledged | the reported rows; no row above them is new |
/// | the page reports rows of another list, or late | the same | the same |
/// | the list is replaced | the other list, not acknowledged | the one that the screen chooses; rows above it may be new |
/// | it is unknown what the page shows | not acknowledged | the first row in view |
struct FeedListPosition<Reference: Identifiable & Sendable>: Sendable where Reference.ID: Sendable {
    /// The position that a page has to show in a list that it has not acknowledged.
    enum Anchor: Equatable, Sendable {
        case top
        case row(Reference.ID)
        case index(Int)
    }

    /// The position of a page in another list, and the viewport there.
    typealias Place = (Anchor, Viewport)

    private(set) var viewport: Viewport
    /// The list that was sent last.
    private(set) var snapshot: FeedSnapshot<Reference>
    /// The revision of that list; nil while it is unknown which list the page shows.
    private(set) var revision: Int?
    private(set) var isAcknowledged = false
    /// The position until the page acknowledges the list.
    private(set) var anchor: Anchor
    /// The number of new rows above the viewport.
    private(set) var newRowCount = 0
    private var watchedRows = WatchedRows()
    /// The sequence number of the last report.
    private var seq = 0
    /// The version of the last row that was sent; it only increases.
    private var version = 0

    /// Creates the position of a page that is opened.
    ///
    /// - Parameters:
    ///   - first: The rows in view until the page reports its viewport.
    ///   - topRow: The row at the top of a reopened page.
    init(in snapshot: FeedSnapshot<Reference>, first: Range<Int>, topRow: Reference.ID?) {
        self.snapshot = snapshot
        viewport = Viewport(visible: first)
        anchor = topRow.map { .row($0) } ?? .index(first.lowerBound)
    }
}

// MARK: - The page

extension FeedListPosition {
    /// Records that the page was rendered with a list.
    ///
    /// - Parameter isAcknowledged: Whether the page shows its position in that list.
    mutating func didRender(_ list: FeedList<Reference>, isAcknowledged: Bool) {
        guard list.hasBeenFetched else { return }
        (snapshot, revision, self.isAcknowledged) = (list.snapshot, list.revision, isAcknowledged)
    }

    /// Applies a report of the page, and returns the acknowledged position; nil if the report is late or about another list.
    ///
    /// - Parameter columns: The number of rows side by side.
    mutating func acknowledge(_ report: ViewportReport, columns: Int) -> Self? {
        guard report.seq > seq, report.list == revision.map(String.init) else { return nil }
        seq = report.seq
        viewport = Viewport(
            visible: report.visible, rowsPerSecond: report.rowsPerSecond ?? 0, landing: report.landing?.clampedToList, columns: columns)
        (isAcknowledged, newRowCount) = (true, 0)
        return self
    }

    /// Records that it is unknown which list and rows the page shows.
    ///
    /// - Parameter isSorted: Whether a page at the top shows the current first rows, even if others were first when it was rendered.
    mutating func invalidate(isSorted: Bool = false) {
        let pendingAnchor = pendingAnchor
        watchedRows = WatchedRows()
        isAcknowledged = false
        guard pendingAnchor != .top else { return }
        if isSorted, viewport.visible.lowerBound == 0 {
            anchor = .index(0)
        } else if let top = snapshot.references(in: viewport.visible).first {
            anchor = .row(top.id)
        }
    }
}

// MARK: - Another list

extension FeedListPosition {
    /// Whether a list replaces the one that was sent: it has other rows, or another order.
    func isReplaced(by list: FeedList<Reference>) -> Bool { list.hasBeenFetched && revision != list.revision }

    /// Updates the list, whose rows and order are the same.
    mutating func update(_ snapshot: FeedSnapshot<Reference>) { self.snapshot = snapshot }

    /// Replaces the list.
    ///
    /// - Parameters:
    ///   - place: The position in the other list.
    ///   - countsNewRows: Whether rows above the viewport are new if the list before does not have them.
    mutating func replaceList(with list: FeedList<Reference>, at place: Place, countsNewRows: Bool = true) {
        (anchor, viewport) = place
        let top = viewport.visible.lowerBound
        let isRefreshed = countsNewRows && anchor.isRow && snapshot.count > 0
        newRowCount = isRefreshed ? min(top, newRowCount + countOfNewRows(in: list.snapshot, before: top)) : 0
        (snapshot, revision, isAcknowledged) = (list.snapshot, list.revision, false)
        watchedRows = WatchedRows()
    }

    /// The position that the page has not acknowledged; nil if it has.
    var pendingAnchor: Anchor? { isAcknowledged ? nil : anchor }

    /// Returns the place of the row of the pending anchor in another list; nil if there is none.
    func placeOfPendingRow(in other: FeedSnapshot<Reference>) -> Place? {
        guard case .row(let row)? = pendingAnchor, let index = other.index(of: row) else { return nil }
        return (.row(row), viewport.moved(by: index - viewport.visible.lowerBound))
    }

    /// Returns the place of the first row in view, or of its nearest neighbour, that is in another list too; nil if there is none.
    func placeOfNearestRow(in other: FeedSnapshot<Reference>) -> Place? {
        guard let match = snapshot.nearestCommonRow(to: viewport.visible.lowerBound, in: other) else { return nil }
        return (.row(snapshot.references[match.here].id), viewport.moved(by: match.there - match.here))
    }

    private func countOfNewRows(in other: FeedSnapshot<Reference>, before end: Int) -> Int {
        other.references(in: 0..<end).count { snapshot.index(of: $0.id) == nil }
    }
}

// MARK: - Rows and events

extension FeedListPosition {
    /// The rows to observe around the viewport.
    var observedRows: Range<Int> { WatchedRows.watched(around: viewport.visible, of: snapshot.count) }

    /// Returns the rows of a list around the viewport that the page does not have in their current version.
    mutating func missingRows<F: Feed>(of list: FeedSnapshot<Reference>, in cache: FeedCache<F>) -> [Reference.ID]
    where F.Reference == Reference {
        let missing = watchedRows.missing(around: viewport.visible, of: list.count, latest: cache.version) {
            $0 < list.count ? cache.version(of: list.references[$0].id) : 0
        }
        return missing.map { list.references[$0].id }
    }

    /// Marks the row at an index as sent, and returns the version with which it is sent.
    mutating func markSent(_ index: Int) -> Int {
        watchedRows.markSent(index)
        version += 1
        return version
    }

    /// The anchor in the format of events; nil for the top.
    var eventAnchor: ListEvent.Anchor? {
        switch anchor {
        case .top: nil
        case .index(let index): ListEvent.Anchor(row: nil, index: index)
        case .row(let row): ListEvent.Anchor(row: "\(row)", index: snapshot.index(of: row) ?? 0)
        }
    }
}

extension FeedListPosition.Anchor {
    fileprivate var isRow: Bool {
        if case .row = self { true } else { false }
    }
}
