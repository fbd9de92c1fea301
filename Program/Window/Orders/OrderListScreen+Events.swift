import Foundation
import LadingFeeds
import Orders
import Synchronization

// MARK: - Events

extension OrderListScreen {
    /// Records that the page was rendered with a list.
    func didRender(_ list: FeedList<OrderReference>) {
        state.withLock { state in
            guard list.hasBeenFetched else { return }
            state.sent.revision = list.revision
            state.sent.snapshot = list.snapshot
            state.sent.isAcknowledged = !controller.isApplyingQuery
        }
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
        let sent = state.withLock { $0.sent }
        let labels = labels(for: list)
        let isUnknown = list.hasBeenFetched && !sent.isAcknowledged
        let problem = problem(with: list)
        return ListEvent(
            list: "\(list.revision)", count: list.hasBeenFetched ? list.snapshot.count : nil, title: labels.title,
            busy: list.state == .loading, fetchedAt: repository.cache.listFetchedAt.map(\.millisecondsSince1970), note: labels.note,
            empty: labels.empty, error: problem?.text, errorDetails: problem?.details,
            newRowsLabel: isUnknown && sent.newRowCount > 0 ? contexts.texts.newOrders(sent.newRowCount) : nil,
            anchor: isUnknown ? sent.eventAnchor : nil, loadingProgress: loadingProgress(of: list),
            rows: isUnknown ? JSONText(viewportRows(of: list)[...]) : nil)
    }

    /// Returns all rows in view, including those in the state `waiting`: the page treats other rows of a new list as unknown.
    private func viewportRows(of list: FeedList<OrderReference>) -> [RenderedRow] {
        let visible = state.withLock { $0.viewport.visible.clamped(to: 0..<list.snapshot.count) }
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
        let version = state.withLock { state in
            state.version += 1
            state.watchedRows.markSent(index)
            return state.version
        }
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
        guard list.hasBeenFetched, sent.revision != list.revision else {
            sent.snapshot = list.snapshot
            return false
        }
        let (anchor, viewport) = position(in: list)
        let isRefreshed = anchor.row != nil && OrderQuery.isDefault(query) && sent.snapshot.count > 0
        let top = viewport.visible.lowerBound
        let newRowCount = isRefreshed ? min(top, sent.newRowCount + sent.countOfNewRows(in: list.snapshot, before: top)) : 0
        sent = .init(
            revision: list.revision, snapshot: list.snapshot, isAcknowledged: false, anchor: anchor,
            appliedQueryCount: list.appliedQueryCount,
            newRowCount: newRowCount)
        self.viewport = viewport
        watchedRows = WatchedRows()
        return true
    }

    /// Returns the position of the user in another list, and the viewport there.
    private func position(in list: FeedList<OrderReference>) -> (OrderListScreen.Anchor, Viewport) {
        // The initial query of a page is not an action of the user.
        if list.appliedQueryCount > sent.appliedQueryCount, sent.isAcknowledged || hasQueried {
            return isOnlyPositionChanged ? (.index(viewport.visible.lowerBound), viewport) : (.top, viewport.atTop)
        }
        switch sent.anchor {
        case .index(let index) where !sent.isAcknowledged: return (.index(index), viewport)
        case .top where !sent.isAcknowledged: return (.top, viewport.atTop)
        case .row(let row) where !sent.isAcknowledged:
            guard let index = list.snapshot.index(of: row) else { break }
            return (.row(row), viewport.moved(by: index - viewport.visible.lowerBound))
        default: break
        }
        let top = viewport.visible.lowerBound
        if top == 0, !OrderQuery.isDefault(query) { return (.index(0), viewport.atTop) }
        guard let match = sent.snapshot.nearestCommonRow(to: top, in: list.snapshot) else { return (.index(0), viewport.atTop) }
        return (.row(sent.snapshot.references[match.here].id), viewport.moved(by: match.there - match.here))
    }
}

extension OrderListScreen.Anchor {
    fileprivate var row: OrderID? {
        if case .row(let row) = self { row } else { nil }
    }
}

extension OrderListScreen.SentList {
    /// The anchor in the format of events.
    fileprivate var eventAnchor: ListEvent.Anchor? {
        switch anchor {
        case .top: nil
        case .index(let index): ListEvent.Anchor(row: nil, index: index)
        case .row(let row): ListEvent.Anchor(row: "\(row)", index: snapshot.index(of: row) ?? 0)
        }
    }

    fileprivate func countOfNewRows(in other: FeedSnapshot<OrderReference>, before end: Int) -> Int {
        other.references(in: 0..<max(0, end)).count { snapshot.index(of: $0.id) == nil }
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
