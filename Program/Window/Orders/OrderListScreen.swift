import LadingFeeds
import LadingHTTP
import Orders
import Synchronization

/// The list of orders on one page.
final class OrderListScreen: ListScreen {
    struct State {
        var position: FeedListPosition<OrderReference>
        /// The number of queries applied to the list that was sent last.
        var appliedQueryCount = 0
        var query: RequestedQuery
        /// Whether the user has set a query since the page was rendered.
        var hasQueried = false
        /// Whether the last query differs from the one before only in its position.
        var isOnlyPositionChanged = false
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
        let position = FeedListPosition(in: controller.list.snapshot, first: first, topRow: topRow)
        state = Mutex(State(position: position, query: query))
        controller.start()
        controller.setViewport(position.viewport, observing: WatchedRows.watched(around: first, of: .max))
        controller.setQuery(query.orderQuery(near: repository.near), scrollsToTop: false)
    }

    func invalidateAll() {
        state.withLock { $0.position.invalidate(isSorted: !OrderQuery.isDefault($0.query)) }
        eventBuffer.record { $0.recordScreenChange() }
    }

    func stop() { controller.stop() }
}

// MARK: - Reports of the page

extension OrderListScreen {
    func setVisible(_ isVisible: Bool) {
        let position = state.withLock { $0.position }
        controller.setViewport(isVisible ? position.viewport : Viewport(visible: 0..<0), observing: position.observedRows)
    }

    func setViewport(_ report: ViewportReport) {
        guard let acknowledged = state.withLock({ $0.position.acknowledge(report, columns: 1) }) else { return }
        // A newer list may have moved the controller's viewport; the reported rows are translated to it.
        controller.setViewport(
            acknowledged.viewport.translated(from: acknowledged.snapshot, to: controller.list.snapshot),
            observing: acknowledged.observedRows)
        // Determined after the rows are observed: a change in between would be lost.
        let missing = state.withLock { $0.position.missingRows(of: acknowledged.snapshot, in: repository.cache) }
        eventBuffer.record { $0.record(missing) }
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

    /// Does nothing: a list that failed is fetched again by a refresh.
    func retry() {}

    func retry(_ row: OrderID) { controller.retry(row) }

    func refresh() {
        repository.catalog.clearFailures()
        controller.refresh()
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) { controller.retryFailures(where: isRetried) }
}

extension Viewport {
    /// Returns the viewport of the same rows in a newer list.
    fileprivate func translated(from old: FeedSnapshot<OrderReference>, to new: FeedSnapshot<OrderReference>) -> Viewport {
        guard old !== new, let match = old.nearestCommonRow(to: visible.lowerBound, in: new) else { return self }
        return moved(by: match.there - match.here)
    }
}
