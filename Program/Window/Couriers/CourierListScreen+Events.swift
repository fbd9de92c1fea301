import Foundation
import Orders
import Synchronization

extension CourierListScreen {
    /// Returns the list to render a page with, and marks it as sent.
    func renderedList() -> CourierList {
        state.withLock { state in
            state.isAcknowledged = true
            state.anchor = nil
            return state.list
        }
    }

    /// Returns the title of a list, and the message of an empty one.
    func labels(for list: CourierList, search: String) -> (title: String, empty: String?) {
        let texts = contexts.orders.texts
        let title = texts.title(of: scope)
        guard list.position != nil, list.orders.isEmpty, !list.isLoading, list.failure == nil else { return (title, nil) }
        if !search.isEmpty { return (title, texts.noMatchingOrder(search)) }
        return (title, scope == .mine ? texts.strings.noOwnOrders : texts.strings.noOpenOrders)
    }

    func events(for changes: ChangeLog<OrderID>.Changes) -> [WindowEvent] {
        let (list, isAcknowledged) = state.withLock { ($0.list, $0.isAcknowledged) }
        var events: [WindowEvent] = []
        if list.isSignedOut { events.append(WindowEvent(name: "signedOut", data: "{}")) }
        if changes.isScreenChanged { events.append(.list(event(of: list, isAcknowledged: isAcknowledged))) }
        let rows = changes.rows.compactMap { id in id.number.flatMap(list.index) }.sorted().map { row(at: $0, of: list) }
        return events + WindowEvent.rows(rows, of: "\(list.revision)")
    }

    private func event(of list: CourierList, isAcknowledged: Bool) -> ListEvent {
        let texts = contexts.orders.texts
        let (anchor, search, visible) = state.withLock { ($0.anchor, $0.query.searchText, $0.visible) }
        let labels = labels(for: list, search: search)
        let problem = list.failure.map(contexts.orders.listProblem)
        let shown = visible.clamped(to: 0..<list.orders.count)
        return ListEvent(
            list: "\(list.revision)", count: list.position == nil ? nil : list.orders.count, title: labels.title, busy: list.isLoading,
            fetchedAt: fetchedAt, note: nil, empty: labels.empty, error: problem?.text, errorDetails: problem?.details,
            newRowsLabel: list.new.isEmpty ? nil : texts.newOrders(list.new.count), anchor: isAcknowledged ? nil : anchor,
            size: list.next == nil ? nil : -1, rows: isAcknowledged ? nil : JSONText(shown.map { row(at: $0, of: list) }[...]))
    }

    private func row(at index: Int, of list: CourierList) -> RenderedRow {
        let version = state.withLock { state in
            state.version += 1
            state.watchedRows.markSent(index)
            return state.version
        }
        let order = list.orders[index]
        let content = contexts.rowContent(order, hasLeft: list.left.contains(order.id), at: index)
        let html = repository.courierRows.html(of: content, in: contexts.orders.texts.language, form: contexts.formValues()) { form in
            renderer.fragment(.courierRow, contexts.row(content, form: form))
        }
        return RenderedRow(id: JSONText("\(order.id)"), index: index, version: version, state: "loaded", html: html)
    }
}
