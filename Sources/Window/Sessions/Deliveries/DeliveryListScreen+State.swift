import Deliveries
import Foundation
import LadingFeeds
import LadingHTTP

// MARK: - Decisions about places

extension DeliveryListScreen.State {
    /// Whether the rows are those that the last wish asks for.
    var isQueryApplied: Bool { rows.isLoaded && !isQueryPending }

    /// Whether the list is shown as it came, all of it.
    var isDefaultQuery: Bool { query.searchText.isEmpty && query.sort.flatMap(DeliverySort.init) == nil }

    /// The rows that will be in view when the last wish is answered.
    var expectedVisible: Range<Int> { isQueryPending && pendingAnchor != nil ? 0..<visible.count : visible }

    /// The most places behind the last row that pages are fetched for which bring no row: a reader cannot scroll there.
    private static let emptyPlaceLimit = 200

    /// The places in the stored list of the rows in view; the last one that is known when all behind the last row are empty, and the first while nothing is.
    ///
    /// - Parameter end: Behind the last place that is known.
    func placesInView(before end: Int) -> Range<Int>? {
        let records = rows.records(in: visible)
        guard let first = records.first?.place, let last = records.last?.place else {
            let last = min(max(0, end - 1), Self.emptyPlaceLimit)
            return rows.count == 0 ? last..<last + 1 : nil
        }
        let isAtEnd = visible.upperBound >= rows.count && (last + 1..<last + Self.emptyPlaceLimit).contains(end - 1)
        return isAtEnd ? end - 1..<end : first..<last + 1
    }

    /// Where the reader is, by the first row in view.
    var viewportAnchor: DeliveryListScreen.Anchor {
        let first = visible.lowerBound
        return rows.snapshot[first].map { .row($0.row.id, index: first) } ?? .index(first)
    }

    /// Takes what was read, and says what the page has to be told.
    mutating func apply(_ reading: StoredRows<Delivery>.Snapshot, topRow: DeliveryID?) -> (isScreenChanged: Bool, changed: [DeliveryID]) {
        let isFirst = !rows.isLoaded
        // A page may ask for a place far behind the last row.
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

    /// Rows that were read once, and are out of sight now, may be others: the page is sent them again when it comes back to them.
    mutating func record(_ change: RecordChange<DeliveryID>) {
        guard let first = change.places?.lowerBound ?? (change.rows == nil ? 0 : nil), first < placesEnd else { return }
        if let ids = change.rows, ids.allSatisfy({ rows.index(of: $0) != nil }) { return }
        version += 1
        changedAt = version
    }

    /// The most refusals of which is remembered that they were reported.
    private static let reportedLimit = 64

    /// The refused marks of rows in view that were not reported yet; none while nobody looks.
    ///
    /// - Parameter latest: One whose note may not have been read yet.
    mutating func dequeueUnreportedRefusals(_ latest: FavouriteRefusal?) -> [(refusal: FavouriteRefusal, delivery: Delivery)] {
        guard isStreaming, isAcknowledged else { return [] }
        let refusals = rows.records(in: visible).compactMap { record in
            (latest.flatMap { $0.id == record.row.id ? $0 : nil } ?? record.unacknowledgedRefusal).map { (refusal: $0, delivery: record.row) }
        }.filter { !reportedRefusals.contains($0.refusal.key) }
        reportedRefusals = (reportedRefusals + refusals.map(\.refusal.key)).suffix(Self.reportedLimit)
        return refusals
    }

    /// The most notices that are sent with the list.
    static let noticeLimit = 16

    mutating func add(_ notice: Notice) {
        notices = (notices + [notice]).suffix(Self.noticeLimit)
    }

    private mutating func anchor(of row: (id: DeliveryID, by: Int)?, _ topRow: DeliveryID?) -> DeliveryListScreen.Anchor {
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
        // Those that the page has not seen yet are still new to it.
        newRowCount = max(0, newRowCount + row.by)
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
        coverage = RowCoverage()
        (isAcknowledged, isQueryPending) = (false, false)
    }
}

// MARK: - How the list is

extension DeliveryListScreen {
    /// What is under way, and what went wrong, as far as the page tells of it.
    struct Status: Equatable {
        var isRefreshing = false
        var isAppending = false
        /// Whether the last page has come; its rows may not have been counted yet.
        var isLastPageStored = false
        /// Whether the list ends behind the rows that were counted.
        var isComplete = false
        /// What kept pages from being fetched, for people.
        var problem: PageProblem?
        /// Whether that was the network.
        var isOffline = false
        /// What kept rows from being read from the store, for people.
        var readProblem: PageProblem?
        /// How old the page says the rows in view are, in milliseconds since 1970.
        var sentAge: Int?

        var reason: PageProblem? { readProblem ?? problem }

        mutating func update(_ paging: PagedList<Delivery>.State, _ texts: Texts) {
            isRefreshing = paging.fetching.contains(.refresh)
            isAppending = !isRefreshing && !paging.fetching.isEmpty
            isLastPageStored = paging.isComplete
            isComplete = isComplete && isLastPageStored
            let failure = PageDirection.allCases.lazy.compactMap { paging.failures[$0] }.first ?? paging.readFailure
            // What kept the last refresh from success stands until another one has ended.
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
    /// When the oldest of the rows in view was stored, in milliseconds since 1970.
    var storedAt: Int? {
        rows.records(in: visible).lazy.map(\.storedAt).min().map(\.millisecondsSince1970)
    }

    /// Whether the rows in view are of another age than the page says, which it is told at the next event.
    mutating func hasAged() -> Bool {
        guard let storedAt, let sent = status.sentAge else { return false }
        return abs(storedAt - sent) > 60_000
    }
}
