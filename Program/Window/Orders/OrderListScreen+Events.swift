import Foundation
import LadingFeeds
import Orders
import Synchronization

// MARK: - Events

extension OrderListScreen {
    /// Records that the page was rendered with a list.
    func didRender(_ list: FeedList<OrderReference>) {
        state.withLock { $0.position.didRender(list, isAcknowledged: !controller.isApplyingQuery) }
    }

    func events(for changes: ChangeLog<OrderID>.Changes) -> [WindowEvent] {
        let list = controller.list
        let isNew = state.withLock { $0.apply(list) }
        var events: [WindowEvent] = []
        if changes.isScreenChanged || isNew { events.append(.list(event(of: list))) }
        return events + WindowEvent.rows(rows(changes.rows, of: list), of: "\(list.revision)")
    }

    /// Returns the title of a list, the note under it, and the message of an empty list.
    func labels(for list: FeedList<OrderReference>) -> (title: String, note: String?, empty: String?) {
        let texts = contexts.texts
        let (snapshot, requestedQuery) = (list.snapshot, state.withLock { $0.query })
        let search = requestedQuery.search ?? ""
        guard let query = controller.query, !query.isDefault else {
            let title = snapshot.count == 0 ? texts.strings.orders : texts.orders(snapshot.count)
            return (title, nil, list.isEmpty ? texts.strings.noOrders : nil)
        }
        // Without rows, the query may not have been applied yet.
        if snapshot.count == 0, controller.isApplyingQuery { return (texts.strings.orders, nil, nil) }
        let isSearched = !search.isEmpty
        let isWithoutPosition = query.sort == .nearest && requestedQuery.point == nil && repository.near == nil
        let note = note(on: snapshot, isSearched: isSearched) ?? (isWithoutPosition ? texts.strings.nearestUnknown : nil)
        let empty = list.isEmpty ? (isSearched ? texts.noMatchingOrder(search) : texts.strings.noOrders) : nil
        return (isSearched ? foundTitle(snapshot) : texts.orders(snapshot.count), note, empty)
    }

    private func foundTitle(_ snapshot: FeedSnapshot<OrderReference>) -> String {
        snapshot.isFullyIndexed ? contexts.texts.orders(snapshot.matchedCount) : contexts.texts.foundCount(snapshot.matchedCount)
    }

    /// Returns the note about the progress of the search or sort.
    private func note(on snapshot: FeedSnapshot<OrderReference>, isSearched: Bool) -> String? {
        let (texts, known, total) = (contexts.texts, snapshot.knownCount, snapshot.totalCount)
        if snapshot.isFullyIndexed { return isSearched ? texts.matchCount(snapshot.matchedCount, of: total) : nil }
        return isSearched ? texts.foundCount(snapshot.matchedCount, in: known, of: total) : texts.readCount(known, of: total)
    }

    /// Returns the problem of loading the list or some of its rows.
    func problem(with list: FeedList<OrderReference>) -> PageProblem? {
        list.failure.map(contexts.listProblem) ?? controller.indexingFailure.map(contexts.queryProblem)
    }

    /// Returns the progress of loading rows for a search or sort; nil when all are loaded.
    func loadingProgress(of list: FeedList<OrderReference>) -> ListEvent.LoadingProgress? {
        let snapshot = list.snapshot
        guard controller.query?.isDefault == false, !snapshot.isFullyIndexed, snapshot.totalCount > 0 else { return nil }
        let isRunning = controller.isIndexing
        return ListEvent.LoadingProgress(
            known: snapshot.knownCount, total: snapshot.totalCount, isRunning: isRunning,
            text: isRunning && controller.isIndexingAll ? contexts.texts.strings.stopLoading : contexts.texts.readAll(snapshot.totalCount),
            all: !(isRunning && controller.isIndexingAll))
    }

    private func event(of list: FeedList<OrderReference>) -> ListEvent {
        let position = state.withLock { $0.position }
        let labels = labels(for: list)
        let isUnknown = list.hasBeenFetched && !position.isAcknowledged
        let problem = problem(with: list)
        return ListEvent(
            list: "\(list.revision)", count: list.hasBeenFetched ? list.snapshot.count : nil, title: labels.title,
            busy: list.state == .loading, fetchedAt: repository.cache.listFetchedAt.map(\.millisecondsSince1970), note: labels.note,
            empty: labels.empty, error: problem?.text, errorDetails: problem?.details,
            newRowsLabel: isUnknown && position.newRowCount > 0 ? contexts.texts.newOrders(position.newRowCount) : nil,
            anchor: isUnknown ? position.eventAnchor : nil, loadingProgress: loadingProgress(of: list),
            rows: isUnknown ? JSONText(viewportRows(of: list)[...]) : nil)
    }

    /// Returns all rows in view, including those in the state `waiting`: the page treats other rows of a new list as unknown.
    private func viewportRows(of list: FeedList<OrderReference>) -> [RenderedRow] {
        let visible = state.withLock { $0.position.viewport.visible.clamped(to: 0..<list.snapshot.count) }
        return visible.map { renderRow(list.snapshot.references[$0].id, at: $0) }
    }

    private func rows(_ ids: [OrderID], of list: FeedList<OrderReference>) -> [RenderedRow] {
        let rendered = ids.compactMap { id -> RenderedRow? in
            guard let index = list.snapshot.index(of: id) else { return nil }
            let row = renderRow(id, at: index)
            return row.state == "waiting" ? nil : row
        }
        return rendered.sorted { $0.index < $1.index }
    }

    private func renderRow(_ id: OrderID, at index: Int) -> RenderedRow {
        let version = state.withLock { $0.position.markSent(index) }
        // Read before the content: a rendering under a version must not be older than it.
        let content = OrderVersion(id: id, number: repository.cache.version(of: id))
        let language = contexts.texts.language
        if content.number > 0, !controller.hasFailed(id), let html = repository.renderedRows.html(of: content, in: language) {
            return RenderedRow(id: JSONText("\(id)"), index: index, version: version, state: "loaded", html: html)
        }
        let row = controller.state(of: id)
        // The page reads the version from the event, so that one rendering serves all pages.
        let html = JSONText(renderer.fragment(.orderRow, contexts.row(id, row, at: index, version: 0)))
        if case .loaded = row { repository.renderedRows.store(html, of: content, in: language) }
        return RenderedRow(id: JSONText("\(id)"), index: index, version: version, state: row.name, html: html)
    }
}

// MARK: - Positions

extension OrderListScreen.State {
    /// Applies the current list, and returns whether the page has to be notified of it.
    fileprivate mutating func apply(_ list: FeedList<OrderReference>) -> Bool {
        guard position.isReplaced(by: list) else {
            position.update(list.snapshot)
            return false
        }
        position.replaceList(with: list, at: place(in: list), countsNewRows: OrderQuery.isDefault(query))
        appliedQueryCount = list.appliedQueryCount
        return true
    }

    /// Returns the position of the user in another list.
    private func place(in list: FeedList<OrderReference>) -> FeedListPosition<OrderReference>.Place {
        let (viewport, top) = (position.viewport, position.viewport.visible.lowerBound)
        // The initial query of a page is not an action of the user.
        if list.appliedQueryCount > appliedQueryCount, position.isAcknowledged || hasQueried {
            return isOnlyPositionChanged ? (.index(top), viewport) : (.top, viewport.atTop)
        }
        switch position.pendingAnchor {
        case .top: return (.top, viewport.atTop)
        case .index(let index): return (.index(index), viewport)
        case .row, nil: break
        }
        if let place = position.placeOfPendingRow(in: list.snapshot) { return place }
        if top == 0, !OrderQuery.isDefault(query) { return (.index(0), viewport.atTop) }
        if let place = position.placeOfNearestRow(in: list.snapshot) { return place }
        return (.index(0), viewport.atTop)
    }
}

extension OrderQuery {
    static func isDefault(_ query: RequestedQuery) -> Bool { query.orderQuery(near: nil).isDefault }
}

extension FeedRowState {
    /// The name of the state in events.
    var name: String {
        switch self {
        case .idle: "waiting"
        case .loading: "loading"
        case .retrying: "retrying"
        case .loaded, .stale: "loaded"
        case .failed: "failed"
        }
    }
}

extension FeedSnapshot {
    /// Whether all rows were known when the query was applied.
    fileprivate var isFullyIndexed: Bool { knownCount >= totalCount }
}

extension FeedList {
    /// Whether a list was ever fetched; until then a page retains its previous list.
    var hasBeenFetched: Bool { state == .loaded || revision > 0 || snapshot.count > 0 }

    var hasFinishedLoading: Bool { state != .loading }

    /// Whether the list is known to be empty, as opposed to not fetched.
    var isEmpty: Bool { hasBeenFetched && hasFinishedLoading && snapshot.count == 0 }
}
