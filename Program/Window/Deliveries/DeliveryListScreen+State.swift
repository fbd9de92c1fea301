import Deliveries
import Foundation
import LadingRecords

// MARK: - Positions

extension DeliveryListScreen.State {
    /// Whether the rows are those of the last query.
    var isQueryApplied: Bool { rows.isLoaded && !isQueryPending }

    /// Whether the list is shown without search and sort.
    var isDefaultQuery: Bool { query.searchText.isEmpty && query.sort.flatMap(DeliverySort.init) == nil }

    /// The rows that will be in view when the rows of the last query have loaded.
    var expectedVisible: Range<Int> { isQueryPending && pendingAnchor != nil ? 0..<visible.count : visible }

    /// The maximum number of empty positions after the last row for which pages are fetched: the user cannot scroll there.
    private static let emptyPlaceLimit = 200

    /// Returns the positions of the rows in view in the stored list; the last known position when the positions after the last row are
    /// empty or there are no rows; nil when the rows in view are not loaded, and under a search or sort.
    ///
    /// - Parameter end: The end of the known positions.
    func placesInView(before end: Int) -> Range<Int>? {
        // Until the rows of the last query are loaded, those of a former sort are in an order of their own.
        guard isDefaultQuery, isQueryApplied || !rows.isLoaded else { return nil }
        let records = rows.records(in: visible)
        guard let first = records.first?.place, let last = records.last?.place else {
            let last = min(max(0, end - 1), Self.emptyPlaceLimit)
            return rows.count == 0 ? last..<last + 1 : nil
        }
        let isAtEnd = visible.upperBound >= rows.count && (last + 1..<last + Self.emptyPlaceLimit).contains(end - 1)
        return isAtEnd ? end - 1..<end : first..<last + 1
    }

    /// The position of the user, by the first row in view.
    var viewportAnchor: DeliveryListScreen.Anchor {
        let first = visible.lowerBound
        return rows.snapshot[first].map { .row($0.row.id, index: first) } ?? .index(first)
    }

    /// Applies rows read from the store, and returns the changes for the page.
    mutating func apply(_ reading: StoredRows<Delivery>.Snapshot, topRow: DeliveryID?) -> (isScreenChanged: Bool, changed: [DeliveryID]) {
        let isFirst = !rows.isLoaded
        // A page may request a position far beyond the last row.
        if isFirst, visible.lowerBound >= reading.count {
            let first = max(0, reading.count - 1)
            visible = first..<first + visible.count
        }
        placesEnd = reading.records.reduce(placesEnd) { max($0, $1.place + 1) }
        switch rows.update(to: reading, visible: visible, isOtherQuery: isQueryPending) {
        case .same(let changed, let isCountChanged):
            if !changed.isEmpty {
                version += 1
                changedAt = version
            }
            return (isCountChanged, changed)
        case .replaced(let row):
            replaceList(at: anchor(of: row, isFirst ? topRow : nil))
            return (true, [])
        }
    }

    /// Records a change of rows that are not loaded: the page receives them again when it scrolls back to them.
    mutating func record(_ change: RecordChange<DeliveryID>) {
        guard let first = change.places?.lowerBound ?? (change.rows == nil ? 0 : nil), first < placesEnd else { return }
        if let ids = change.rows, ids.allSatisfy({ rows.index(of: $0) != nil }) { return }
        version += 1
        changedAt = version
    }

    /// The maximum number of reported rejections that are remembered.
    private static let reportedLimit = 64

    /// Returns the unreported rejections of rows in view, and marks them as reported; none while the page is not visible.
    ///
    /// - Parameter latest: A rejection that may be newer than the loaded rows.
    mutating func dequeueRejections(_ latest: FavouriteRejection?) -> [(rejection: FavouriteRejection, delivery: Delivery)] {
        guard isStreaming == true, isAcknowledged else { return [] }
        let rejections = rows.records(in: visible).compactMap { record in
            (latest.flatMap { $0.id == record.row.id ? $0 : nil } ?? record.unacknowledgedRejection).map {
                (rejection: $0, delivery: record.row)
            }
        }.filter { !reportedRejections.contains($0.rejection.key) }
        reportedRejections = (reportedRejections + rejections.map(\.rejection.key)).suffix(Self.reportedLimit)
        return rejections
    }

    /// The maximum number of notices in a list event.
    static let noticeLimit = 16

    mutating func add(_ notice: Notice) {
        notices = (notices + [notice]).suffix(Self.noticeLimit)
    }

    private mutating func anchor(of row: StoredRows<Delivery>.Anchor?, _ topRow: DeliveryID?) -> DeliveryListScreen.Anchor {
        if let topRow, let index = rows.index(of: topRow) { return .row(topRow, index: index) }
        if isQueryPending {
            newRowCount = 0
            return pendingAnchor ?? .index(visible.lowerBound)
        }
        guard let row, let index = rows.index(of: row.id) else {
            newRowCount = 0
            return .index(visible.lowerBound)
        }
        visible = max(0, visible.lowerBound + row.by)..<max(0, visible.upperBound + row.by)
        // Rows that the page has not seen yet still count as new; rows that have only moved do not.
        newRowCount = max(0, newRowCount + min(row.by, row.newRowCount))
        return .row(row.id, index: index)
    }

    private mutating func replaceList(at anchor: DeliveryListScreen.Anchor) {
        self.anchor = anchor
        switch anchor {
        case .top: visible = 0..<visible.count
        case .index: break
        case .row(_, let index): visible = index..<index + visible.count
        }
        listRevision += 1
        version += 1
        changedAt = version
        watchedRows = WatchedRows()
        (isAcknowledged, isQueryPending) = (false, false)
    }
}

// MARK: - Status

extension DeliveryListScreen {
    /// The pending work and the problems of the list, as shown on the page.
    struct Status: Equatable {
        var isRefreshing = false
        var isAppending = false
        /// Whether the last page is stored; its rows may not have been counted yet.
        var isLastPageStored = false
        /// Whether the counted rows are the whole list.
        var isComplete = false
        /// The problem of fetching pages.
        var problem: PageProblem?
        /// Whether the problem is a network failure.
        var isOffline = false
        /// The problem of reading rows from the store.
        var readProblem: PageProblem?
        /// The age sent to the page: the time at which the oldest row in view was stored, in milliseconds since 1970.
        var sentAge: Int?

        var reason: PageProblem? { readProblem ?? problem }

        mutating func update(_ paging: PagedList<Delivery>.State, _ texts: Texts) {
            isRefreshing = paging.fetching.contains(.refresh)
            isAppending = !isRefreshing && !paging.fetching.isEmpty
            isLastPageStored = paging.isComplete
            isComplete = isComplete && isLastPageStored
            let failure = PageDirection.allCases.lazy.compactMap { paging.failures[$0] }.first ?? paging.readFailure
            // The problem of the last refresh remains until another one has ended.
            if failure != nil || !isRefreshing { update(failure, texts) }
        }

        mutating func update(_ read: RecordResults<Delivery>.State, _ texts: Texts) {
            readProblem = read.failure.map { texts.problem(for: $0, subject: .deliveries) }
            if isLastPageStored, read.isUpToDate { isComplete = true }
        }

        mutating func update(_ failure: (any Error)?, _ texts: Texts) {
            problem = failure.map { texts.problem(for: $0, subject: .deliveries) }
            isOffline = failure.map(\.isNetworkFailure) ?? false
        }
    }
}

extension DeliveryListScreen.State {
    /// The time at which the oldest of the rows in view was stored, in milliseconds since 1970.
    var storedAt: Int? {
        rows.records(in: visible).lazy.map(\.storedAt).min().map(\.millisecondsSince1970)
    }

    /// Whether the age of the rows in view differs from the age sent to the page by more than a minute.
    var hasAged: Bool {
        guard let storedAt, let sent = status.sentAge else { return false }
        return abs(storedAt - sent) > 60_000
    }
}
