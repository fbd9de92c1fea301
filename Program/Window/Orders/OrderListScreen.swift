import LadingFeeds
import LadingHTTP
import Orders
import Synchronization

/// The list of orders on one page.
final class OrderListScreen: WindowScreen {
    struct State {
        var watchedRows = WatchedRows()
        var seq = 0
        /// The list that was sent last, and its acknowledgement.
        var sent: SentList
        /// The version of the last row that was sent; it only increases.
        var version = 0
        var viewport: Viewport
        var query: RequestedQuery
        /// Whether the user has set a query since the page was rendered.
        var hasQueried = false
        /// Whether the last query differs from the one before only in its position.
        var isOnlyPositionChanged = false
    }

    /// The list that the page shows, as far as is known.
    struct SentList {
        /// The revision of the list; nil while it is unknown which list the page shows.
        var revision: Int?
        var snapshot: FeedSnapshot<OrderReference>
        var isAcknowledged: Bool
        /// The page's position in the list, until the page acknowledges it.
        var anchor: Anchor
        /// The number of queries applied to the list.
        var appliedQueryCount = 0
        /// The number of new rows above the viewport.
        var newRowCount = 0
    }

    /// The position of a page in a list that it has not received yet.
    enum Anchor {
        case top
        case row(OrderID)
        case index(Int)
    }

    let controller: FeedController<OrderFeed>
    let contexts: OrderContexts
    let state: Mutex<State>
    let repository: OrderRepository
    let renderer: PageRenderer
    let eventBuffer = EventBuffer<OrderID>()

    /// - Parameters:
    ///   - first: The rows in view until the page reports its viewport.
    ///   - topRow: The row at the top of a reopened page.
    init(
        _ repository: OrderRepository, _ contexts: OrderContexts, _ renderer: PageRenderer, first: Range<Int>, topRow: OrderID? = nil,
        query: RequestedQuery = RequestedQuery()
    ) {
        controller = FeedController(
            feed: repository.feed, cache: repository.cache, queue: repository.queue, buffer: eventBuffer,
            reachability: repository.client.reachability)
        self.repository = repository
        self.contexts = contexts
        self.renderer = renderer
        let sent = SentList(
            snapshot: controller.list.snapshot, isAcknowledged: false, anchor: topRow.map { .row($0) } ?? .index(first.lowerBound))
        state = Mutex(State(sent: sent, viewport: Viewport(visible: first), query: query))
        controller.start()
        controller.setViewport(Viewport(visible: first), observing: WatchedRows.watched(around: first, of: .max))
        controller.setQuery(query.orderQuery(near: repository.near), scrollsToTop: false)
    }

    func invalidateAll() {
        state.withLock { state in
            state.watchedRows = WatchedRows()
            let isPending = !state.sent.isAcknowledged
            state.sent.isAcknowledged = false
            if isPending, case .top = state.sent.anchor { return }
            if state.viewport.visible.lowerBound == 0, !OrderQuery.isDefault(state.query) {
                // A page at the top of a sorted list shows the current first rows, even if others were first when it was rendered.
                state.sent.anchor = .index(0)
            } else if let top = state.sent.snapshot.references(in: state.viewport.visible).first {
                state.sent.anchor = .row(top.id)
            }
        }
        eventBuffer.record { $0.recordScreenChange() }
    }

    func stop() { controller.stop() }
}

// MARK: - Reports of the page

extension OrderListScreen {
    func setVisible(_ isVisible: Bool) {
        let (viewport, snapshot) = state.withLock { ($0.viewport, $0.sent.snapshot) }
        let watched = WatchedRows.watched(around: viewport.visible, of: snapshot.count)
        controller.setViewport(isVisible ? viewport : Viewport(visible: 0..<0), observing: watched)
    }

    func setViewport(_ report: ViewportReport) {
        let viewport = Viewport(
            visible: report.visible, rowsPerSecond: report.rowsPerSecond ?? 0, landing: report.landing?.clampedToList)
        let snapshot = state.withLock { state -> FeedSnapshot<OrderReference>? in
            guard report.seq > state.seq, report.list == state.sent.revision.map(String.init) else { return nil }
            state.seq = report.seq
            state.viewport = viewport
            state.sent.isAcknowledged = true
            state.sent.newRowCount = 0
            return state.sent.snapshot
        }
        guard let snapshot else { return }
        // A newer list may have moved the controller's viewport; the reported rows are translated to it.
        controller.setViewport(
            viewport.translated(from: snapshot, to: controller.list.snapshot),
            observing: WatchedRows.watched(around: viewport.visible, of: snapshot.count))
        recordMissingRows(of: snapshot)
    }

    func setQuery(_ query: RequestedQuery) {
        let isChanged = state.withLock { state in
            let earlier = state.query
            state.query = query
            state.hasQueried = true
            state.isOnlyPositionChanged = query.hasSameSearchAndSort(as: earlier)
            return earlier != query
        }
        guard isChanged else { return }
        controller.setQuery(query.orderQuery(near: repository.near), scrollsToTop: !state.withLock { $0.isOnlyPositionChanged })
    }

    func loadAllRows(_ all: Bool) {
        if all { controller.indexAll() } else { controller.stopIndexing() }
    }

    func retry(_ row: OrderID?) {
        guard let row else { return }
        controller.retry(row)
    }

    func refresh() {
        repository.catalog.clearFailures()
        controller.refresh()
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) { controller.retryFailures(where: isRetried) }

    /// Records the rows around the viewport that the page does not have.
    private func recordMissingRows(of snapshot: FeedSnapshot<OrderReference>) {
        let cache = repository.cache
        let missing = state.withLock { state in
            state.watchedRows.missing(around: state.viewport.visible, of: snapshot.count, latest: cache.version) {
                $0 < snapshot.count ? cache.version(of: snapshot.references[$0].id) : 0
            }
        }
        eventBuffer.record { $0.record(missing.map { snapshot.references[$0].id }) }
    }
}

extension Viewport {
    /// Returns the viewport of the same rows in a newer list.
    fileprivate func translated(from old: FeedSnapshot<OrderReference>, to new: FeedSnapshot<OrderReference>) -> Viewport {
        guard old !== new, let match = old.nearestCommonRow(to: visible.lowerBound, in: new) else { return self }
        return moved(by: match.there - match.here)
    }
}
