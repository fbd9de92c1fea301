import Deliveries
import LadingRecords
import Synchronization

// MARK: - Events

extension DeliveryListScreen {
    /// Returns the state to render a page with, and marks it as sent.
    func stateForRendering() -> State {
        state.withLock { state in
            state.isAcknowledged = state.isQueryApplied
            state.sentListRevision = state.listRevision
            state.status.sentAge = state.storedAt
            return state
        }
    }

    /// Whether there are rows to show, or nothing to wait for.
    var hasRows: Bool {
        state.withLock { $0.isQueryApplied && ($0.rows.count > 0 || !$0.isDefaultQuery || $0.status.isComplete || $0.status.reason != nil) }
    }

    /// Whether the rows in a range are loaded, as far as they exist, and no refresh is running.
    func hasFinishedLoading(in range: Range<Int>) -> Bool {
        state.withLock { state in
            guard state.isQueryApplied, !state.status.isRefreshing else { return false }
            let isAtEnd = !state.isDefaultQuery || state.status.isComplete || state.status.reason != nil
            return state.rows.records(in: range).count == range.clamped(to: 0..<state.rows.count).count
                && (isAtEnd || state.rows.count >= range.upperBound)
        }
    }

    func events(for changes: ChangeLog<DeliveryID>.Changes) -> [WindowEvent] {
        var events: [WindowEvent] = []
        if changes.isScreenChanged { events.append(.list(listEvent())) }
        let (list, indices) = state.withLock { state in
            let isSent = state.sentListRevision == state.listRevision
            return (state.listRevision, isSent ? changes.rows.compactMap(state.rows.index(of:)).sorted() : [])
        }
        return events + WindowEvent.rows(indices.compactMap { renderRow(at: $0, of: list) }, of: "\(list)")
    }

    /// Returns the title of the list, the note under it, and the message of an empty list.
    func labels(for state: State) -> (title: String, note: String?, empty: String?) {
        let texts = contexts.texts
        let (count, search) = (state.rows.count, state.query.searchText)
        let isEmpty = state.isQueryApplied && count == 0
        // An empty viewport has no age.
        let age = state.status.isOffline && state.storedAt != nil ? texts.strings.storedAge : nil
        if !search.isEmpty {
            return (texts.deliveries(count), age ?? texts.strings.searchesStored, isEmpty ? texts.noMatchingDelivery(search) : nil)
        }
        let isUnknown = state.query.sort == DeliverySort.nearest.rawValue && state.query.point == nil && repository.near == nil
        let note = age ?? (isUnknown ? texts.strings.nearestUnknown : nil)
        let isPending = state.status.isRefreshing || state.status.isAppending || state.status.reason != nil
        let title = count == 0 ? texts.strings.deliveries : state.status.isComplete ? texts.deliveries(count) : texts.deliveriesSoFar(count)
        return (title, note, isEmpty && !isPending ? emptyMessage : nil)
    }

    /// The message of a list without rows: the number of those that could not be read, if there are any.
    private var emptyMessage: String {
        let skippedCount = source.skippedCount
        return skippedCount > 0 ? contexts.texts.unreadableDeliveries(skippedCount) : contexts.texts.strings.noDeliveries
    }

    /// Returns the text after the last row.
    func footer(for state: State) -> TemplateContext.Footer? {
        guard state.isDefaultQuery else { return nil }
        let texts = contexts.texts.strings
        // The first rows have skeletons instead.
        if state.status.isAppending, state.rows.count > 0 {
            return TemplateContext.Footer(state: "loading", text: texts.loadingMore)
        }
        guard state.status.isComplete, state.rows.count > 0 else { return nil }
        return TemplateContext.Footer(state: "end", text: texts.endOfList)
    }

    private func listEvent() -> ListEvent {
        let (state, rows) = state.withLock { state in
            state.status.sentAge = state.storedAt
            state.sentListRevision = state.listRevision
            return (state, state.isAcknowledged || !state.rows.isLoaded ? nil : state.visible.clamped(to: 0..<state.rows.count))
        }
        let labels = labels(for: state)
        let isUnknown = rows != nil
        let footer = footer(for: state)
        return ListEvent(
            list: "\(state.listRevision)", count: state.rows.isLoaded ? state.rows.count : nil, title: labels.title,
            busy: state.isBusy, fetchedAt: state.storedAt, note: labels.note, empty: labels.empty, error: state.status.reason?.text,
            errorDetails: state.status.reason?.details,
            newRowsLabel: isUnknown && state.newRowCount > 0 ? contexts.texts.newDeliveries(state.newRowCount) : nil,
            anchor: isUnknown ? state.anchor.eventAnchor : nil, size: state.size,
            footer: footer.map { ListEvent.Footer(state: $0.state, text: $0.text) }, notices: state.notices.isEmpty ? nil : state.notices,
            rows: rows.map { JSONText($0.compactMap { renderRow(at: $0, of: state.listRevision) }[...]) })
    }

    /// Returns a rendered row and marks it as sent; nil when the list has been replaced, of which the page is notified next.
    private func renderRow(at index: Int, of list: Int) -> RenderedRow? {
        let read = state.withLock { state -> (record: StoredRecord<Delivery>, version: Int)? in
            guard state.listRevision == list, let record = state.rows.snapshot[index] else { return nil }
            state.version += 1
            state.watchedRows.markSent(index)
            return (record, state.version)
        }
        guard let (record, version) = read else { return nil }
        let html = html(of: DeliveryContent(record))
        return RenderedRow(id: JSONText("\(record.row.id)"), index: index, version: version, state: "loaded", html: html)
    }

    private func html(of content: DeliveryContent) -> JSONText {
        let language = contexts.texts.language
        // The retry count of an image is not part of the cached row.
        guard contexts.imageRetryCount(of: content.delivery) == 0 else {
            return JSONText(renderer.fragment(.deliveryRow, contexts.row(content)))
        }
        if let html = repository.renderedRows.html(of: content, in: language) { return html }
        // The page reads the version from the event, so that one rendering serves all pages.
        let html = JSONText(renderer.fragment(.deliveryRow, contexts.row(content)))
        repository.renderedRows.store(html, of: content, in: language)
        return html
    }
}

extension DeliveryListScreen.State {
    /// The value of `aria-setsize`: -1 while the end of the list is unknown.
    var size: Int { isDefaultQuery && !status.isComplete ? -1 : rows.count }

    /// Whether the list is being refreshed, or its first rows are loading.
    var isBusy: Bool { status.isRefreshing || status.isAppending && rows.count == 0 }
}

extension DeliveryListScreen.Anchor {
    /// The anchor in the format of events.
    fileprivate var eventAnchor: ListEvent.Anchor? {
        switch self {
        case .top: nil
        case .index(let index): ListEvent.Anchor(row: nil, index: index)
        case .row(let row, let index): ListEvent.Anchor(row: "\(row)", index: index)
        }
    }
}
