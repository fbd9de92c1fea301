import Foundation
import LadingFeeds
import Orders
import Synchronization

// MARK: - What the page is told

extension OrderListScreen {
    /// The page was rendered with this list in it.
    func listRendered(_ list: FeedList<OrderReference>) {
        state.withLock { state in
            guard list.isKnown else { return }
            state.sent.number = list.number
            state.sent.snapshot = list.snapshot
            state.sent.isAcknowledged = !controller.isArranging
        }
    }

    func events(for changes: ChangeLog<OrderID>.Changes) -> [WindowEvent] {
        let list = controller.list
        let isNew = state.withLock { $0.take(list) }
        var events: [WindowEvent] = []
        if changes.isScreenChanged || isNew { events.append(.list(event(of: list))) }
        return events + WindowEvent.rows(rows(changes.rows, of: list), of: "\(list.number)")
    }

    /// What stands in the header of a list, and under it.
    func words(of list: FeedList<OrderReference>) -> (title: String, note: String?, empty: String?) {
        let texts = contexts.texts
        let (snapshot, wish) = (list.snapshot, state.withLock { $0.wish })
        let search = wish.search ?? ""
        guard let arrangement = controller.arrangement, !arrangement.isPlain else {
            let title = snapshot.count == 0 ? texts.plain.orders : texts.orders(snapshot.count)
            return (title, nil, list.isEmpty ? texts.plain.noOrders : nil)
        }
        // No rows do not mean that none match before the list is arranged.
        if snapshot.count == 0, controller.isArranging { return (texts.plain.orders, nil, nil) }
        let isSearched = !search.isEmpty
        let isUnplaced = arrangement.sort == .nearest && wish.point == nil && board.near == nil
        let note = note(on: snapshot, isSearched: isSearched) ?? (isUnplaced ? texts.plain.nearestUnknown : nil)
        let empty = list.isEmpty ? (isSearched ? texts.noMatch(search) : texts.plain.noOrders) : nil
        return (isSearched ? foundTitle(snapshot) : texts.orders(snapshot.count), note, empty)
    }

    private func foundTitle(_ snapshot: FeedSnapshot<OrderReference>) -> String {
        snapshot.isWhollyRead ? contexts.texts.orders(snapshot.arrangedCount) : contexts.texts.found(snapshot.arrangedCount)
    }

    /// How much of the list has been searched or sorted.
    private func note(on snapshot: FeedSnapshot<OrderReference>, isSearched: Bool) -> String? {
        let (texts, known, total) = (contexts.texts, snapshot.knownCount, snapshot.totalCount)
        if snapshot.isWhollyRead { return isSearched ? texts.matches(snapshot.arrangedCount, of: total) : nil }
        return isSearched ? texts.found(snapshot.arrangedCount, in: known, of: total) : texts.read(known, of: total)
    }

    /// The reason why the list or some of its rows could not be loaded.
    func problem(with list: FeedList<OrderReference>) -> PageProblem? {
        list.failure.map(contexts.listProblem) ?? controller.arrangementFailure.map(contexts.arrangementProblem)
    }

    /// How far the list has been read for a search or sort; nil where nothing is left to read.
    func reading(of list: FeedList<OrderReference>) -> ListEvent.Reading? {
        let snapshot = list.snapshot
        guard controller.arrangement?.isPlain == false, !snapshot.isWhollyRead, snapshot.totalCount > 0 else { return nil }
        let isRunning = controller.isLoadingForArrangement
        return ListEvent.Reading(
            known: snapshot.knownCount, total: snapshot.totalCount, isRunning: isRunning,
            text: isRunning && controller.isLoadingAll ? contexts.texts.plain.stopReading : contexts.texts.readAll(snapshot.totalCount),
            all: !(isRunning && controller.isLoadingAll))
    }

    private func event(of list: FeedList<OrderReference>) -> ListEvent {
        let sent = state.withLock { $0.sent }
        let words = words(of: list)
        let isUnknown = list.isKnown && !sent.isAcknowledged
        let problem = problem(with: list)
        return ListEvent(
            list: "\(list.number)", count: list.isKnown ? list.snapshot.count : nil, title: words.title,
            busy: list.state == .loading, at: board.memory.listedAt.map(\.millisecondsSince1970), note: words.note,
            empty: words.empty, error: problem?.text, why: problem?.details,
            fresh: isUnknown && sent.freshCount > 0 ? contexts.texts.freshOrders(sent.freshCount) : nil,
            anchor: isUnknown ? sent.place : nil, reading: reading(of: list), rows: isUnknown ? JSONText(viewportRows(of: list)[...]) : nil)
    }

    /// All rows in view, those in the state `waiting` too: a page takes every other row of a new list for unknown.
    private func viewportRows(of list: FeedList<OrderReference>) -> [RowPiece] {
        let visible = state.withLock { $0.viewport.visible.clamped(to: 0..<list.snapshot.count) }
        return visible.map { piece(list.snapshot.references[$0].id, at: $0) }
    }

    private func rows(_ ids: [OrderID], of list: FeedList<OrderReference>) -> [RowPiece] {
        let pieces = ids.compactMap { id -> RowPiece? in
            guard let index = list.snapshot.index(of: id) else { return nil }
            let piece = piece(id, at: index)
            return piece.state == "waiting" ? nil : piece
        }
        return pieces.sorted { $0.index < $1.index }
    }

    private func piece(_ id: OrderID, at index: Int) -> RowPiece {
        let version = state.withLock { state in
            state.version += 1
            state.coverage.markSent(index)
            return state.version
        }
        // Before the content: what is rendered under a version is never older than it.
        let content = OrderVersion(id: id, number: board.memory.version(of: id))
        let language = contexts.texts.language
        if content.number > 0, !controller.hasFailed(id), let html = board.renderings.html(of: content, in: language) {
            return RowPiece(id: JSONText("\(id)"), index: index, version: version, state: "loaded", html: html)
        }
        let row = controller.state(of: id)
        // The page takes the version from the event, so that one rendering serves all pages.
        let html = JSONText(renderer.piece(.orderRow, contexts.row(id, row, at: index, version: 0)))
        if case .loaded = row { board.renderings.keep(html, of: content, in: language) }
        return RowPiece(id: JSONText("\(id)"), index: index, version: version, state: row.name, html: html)
    }
}

// MARK: - Places

extension OrderListScreen.State {
    /// Takes note of the list as it is now, and says whether the page has yet to learn of it.
    fileprivate mutating func take(_ list: FeedList<OrderReference>) -> Bool {
        guard list.isKnown, sent.number != list.number else {
            sent.snapshot = list.snapshot
            return false
        }
        let (anchor, viewport) = place(in: list)
        let isRefreshed = anchor.row != nil && OrderArrangement.isPlain(wish) && sent.snapshot.count > 0
        let top = viewport.visible.lowerBound
        let fresh = isRefreshed ? min(top, sent.freshCount + sent.countOfNewRows(in: list.snapshot, before: top)) : 0
        sent = .init(
            number: list.number, snapshot: list.snapshot, isAcknowledged: false, anchor: anchor, arrangements: list.arrangements,
            freshCount: fresh)
        self.viewport = viewport
        coverage = RowCoverage()
        return true
    }

    /// Where the reader is in another list, and what is in view there.
    private func place(in list: FeedList<OrderReference>) -> (OrderListScreen.Anchor, Viewport) {
        // The first arrangement of a page that was made with one is not a wish of its reader.
        if list.arrangements > sent.arrangements, sent.isAcknowledged || hasAsked {
            return isOnlyNearChanged ? (.index(viewport.visible.lowerBound), viewport) : (.top, viewport.atTop)
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
        if top == 0, !OrderArrangement.isPlain(wish) { return (.index(0), viewport.atTop) }
        guard let place = sent.snapshot.place(near: top, in: list.snapshot) else { return (.index(0), viewport.atTop) }
        return (.row(sent.snapshot.references[place.here].id), viewport.moved(by: place.there - place.here))
    }
}

extension OrderListScreen.Anchor {
    fileprivate var row: OrderID? {
        if case .row(let row) = self { row } else { nil }
    }
}

extension OrderListScreen.SentList {
    /// As the page is told.
    fileprivate var place: ListEvent.Anchor? {
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

extension OrderArrangement {
    static func isPlain(_ wish: ArrangementWish) -> Bool { wish.arrangement(near: nil).isPlain }
}

extension FeedRowState {
    /// As the page knows it.
    var name: String {
        switch self {
        case .waiting: "waiting"
        case .loading: "loading"
        case .retrying: "retrying"
        case .loaded, .stale: "loaded"
        case .failed: "failed"
        }
    }
}

extension FeedSnapshot {
    /// Whether all rows were known when the list was arranged.
    fileprivate var isWhollyRead: Bool { knownCount >= totalCount }
}

extension FeedList {
    /// Whether a list was ever fetched; until then a page keeps what it may have from before.
    var isKnown: Bool { state == .loaded || number > 0 || snapshot.count > 0 }

    var isSettled: Bool { state != .loading }

    /// Whether there is nothing in it for certain: one that could never be fetched may have anything in it.
    var isEmpty: Bool { isKnown && isSettled && snapshot.count == 0 }
}
