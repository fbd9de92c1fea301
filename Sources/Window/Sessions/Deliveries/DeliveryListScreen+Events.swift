import Deliveries
import LadingFeeds
import Synchronization

// MARK: - What the page is told

extension DeliveryListScreen {
    /// What a page is to be rendered with; it counts as told.
    func rendered() -> State {
        state.withLock { state in
            state.isAcknowledged = state.isAnswered
            state.toldList = state.list
            state.standing.toldAge = state.storedAt
            return state
        }
    }

    /// Whether there is something to show, or nothing to wait for.
    var hasRows: Bool {
        state.withLock { $0.isAnswered && ($0.rows.count > 0 || !$0.isListed || $0.standing.isComplete || $0.standing.reason != nil) }
    }

    /// Whether the rows in a range are there, as far as there will be any, and none is being brought up to date.
    func isSettled(in range: Range<Int>) -> Bool {
        state.withLock { state in
            guard state.isAnswered, !state.standing.isRefreshing else { return false }
            let isAtEnd = !state.isListed || state.standing.isComplete || state.standing.reason != nil
            return state.rows.records(in: range).count == range.clamped(to: 0..<state.rows.count).count
                && (isAtEnd || state.rows.count >= range.upperBound)
        }
    }

    func events(for changes: ChangeLog<DeliveryID>.Changes) -> [WindowEvent] {
        var events: [WindowEvent] = []
        if changes.isScreenChanged { events.append(.list(listEvent())) }
        let (list, indices) = state.withLock { state in
            let isTold = state.toldList == state.list
            return (state.list, isTold ? changes.rows.compactMap(state.rows.index(of:)).sorted() : [])
        }
        return events + WindowEvent.rows(indices.compactMap { piece(at: $0, of: list) }, of: "\(list)")
    }

    /// What stands in the header of the list, under it, and in place of rows.
    func words(_ state: State) -> (title: String, note: String?, empty: String?) {
        let texts = contexts.texts
        let (count, search) = (state.rows.count, state.wish.searchText)
        let isEmpty = state.isAnswered && count == 0
        // Where nothing is in view there is nothing that has an age.
        let age = state.standing.isOffline && state.storedAt != nil ? texts.plain.storedAge : nil
        if !search.isEmpty {
            return (texts.deliveries(count), age ?? texts.plain.amongStored, isEmpty ? texts.noDelivery(search) : nil)
        }
        let isUnknown = state.wish.sort == DeliverySort.nearest.rawValue && state.wish.point == nil && board.near == nil
        let note = age ?? (isUnknown ? texts.plain.nearestUnknown : nil)
        let isPending = state.standing.isRefreshing || state.standing.isAppending || state.standing.reason != nil
        let title = count == 0 ? texts.plain.deliveries : state.standing.isComplete ? texts.deliveries(count) : texts.deliveriesSoFar(count)
        return (title, note, isEmpty && !isPending ? texts.plain.noDeliveries : nil)
    }

    /// What stands behind the last row.
    func foot(_ state: State) -> TemplateContext.Foot? {
        guard state.isListed else { return nil }
        let texts = contexts.texts.plain
        // The first rows have skeletons in their places.
        if state.standing.isAppending, state.rows.count > 0 {
            return TemplateContext.Foot(state: "loading", text: texts.loadingMore)
        }
        guard state.standing.isComplete, state.rows.count > 0 else { return nil }
        return TemplateContext.Foot(state: "end", text: texts.endOfList)
    }

    private func listEvent() -> ListEvent {
        let (state, rows) = state.withLock { state in
            state.standing.toldAge = state.storedAt
            state.toldList = state.list
            return (state, state.isAcknowledged || !state.rows.isKnown ? nil : state.visible.clamped(to: 0..<state.rows.count))
        }
        let words = words(state)
        let isUnknown = rows != nil
        let foot = foot(state)
        return ListEvent(
            list: "\(state.list)", count: state.rows.isKnown ? state.rows.count : nil, title: words.title,
            busy: state.isBusy, at: state.storedAt, note: words.note, empty: words.empty, error: state.standing.reason?.text,
            why: state.standing.reason?.details,
            fresh: isUnknown && state.freshCount > 0 ? contexts.texts.freshDeliveries(state.freshCount) : nil,
            anchor: isUnknown ? state.anchor.place : nil, size: state.size,
            foot: foot.map { ListEvent.Foot(state: $0.state, text: $0.text) }, notices: state.notices.isEmpty ? nil : state.notices,
            rows: rows.map { JSONText($0.compactMap { piece(at: $0, of: state.list) }[...]) })
    }

    /// A row of a list, which counts as sent; nil when it is another list by now, which the page is told next.
    private func piece(at index: Int, of list: Int) -> RowPiece? {
        let read = state.withLock { state -> (record: StoredRecord<Delivery>, version: Int)? in
            guard state.list == list, let record = state.rows.reading[index] else { return nil }
            state.version += 1
            state.coverage.markSent(index)
            return (record, state.version)
        }
        guard let (record, version) = read else { return nil }
        let html = html(of: DeliveryContent(record))
        return RowPiece(id: JSONText("\(record.row.id)"), index: index, version: version, state: "loaded", html: html)
    }

    private func html(of content: DeliveryContent) -> JSONText {
        let language = contexts.texts.language
        // The retry count of a picture is not part of the cached row.
        guard contexts.pictureRound(of: content.delivery) == 0 else { return JSONText(renderer.piece(.deliveryRow, contexts.row(content))) }
        if let html = board.renderings.html(of: content, in: language) { return html }
        // The page takes the version from the event, so that one rendering serves all pages.
        let html = JSONText(renderer.piece(.deliveryRow, contexts.row(content)))
        board.renderings.keep(html, of: content, in: language)
        return html
    }
}

extension DeliveryListScreen.State {
    /// What screen readers are told: -1 while the end of the list is not known.
    var size: Int { isListed && !standing.isComplete ? -1 : rows.count }

    /// Whether the list is fetched anew, or its first rows are.
    var isBusy: Bool { standing.isRefreshing || standing.isAppending && rows.count == 0 }
}

extension DeliveryListScreen.Anchor {
    /// As the page is told.
    fileprivate var place: ListEvent.Anchor? {
        switch self {
        case .top: nil
        case .index(let index): ListEvent.Anchor(row: nil, index: index)
        case .row(let row, let index): ListEvent.Anchor(row: "\(row)", index: index)
        }
    }
}
