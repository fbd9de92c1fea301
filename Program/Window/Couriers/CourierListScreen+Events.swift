import Foundation
import Orders
import Synchronization

extension CourierListScreen {
    /// Returns the list to render a page with, and marks it as sent.
    func renderedList() -> CourierList {
        state.withLock { state in
            state.isAcknowledged = state.list.position != nil
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
        let current = state.withLock { $0 }, list = current.list
        var events: [WindowEvent] = []
        if list.isSignedOut { events.append(WindowEvent(name: "signedOut", data: "{}")) }
        if changes.isScreenChanged { events.append(.list(event(of: current))) }
        let rows = changes.rows.compactMap { id in id.number.flatMap(list.index) }.sorted().map { row(at: $0, of: list) }
        return events + WindowEvent.rows(rows, of: "\(list.revision)")
    }

    private func event(of state: State) -> ListEvent {
        let (list, texts) = (state.list, contexts.orders.texts)
        let labels = labels(for: list, search: state.query.searchText)
        let problem = list.failure.map(contexts.orders.listProblem)
        let isUnknown = list.position != nil && !state.isAcknowledged
        let shown = state.visible.clamped(to: 0..<list.orders.count)
        return ListEvent(
            list: "\(list.revision)", count: list.position == nil ? nil : list.orders.count, title: labels.title, busy: list.isLoading,
            fetchedAt: state.fetchedAt, note: nil, empty: labels.empty, error: problem?.text, errorDetails: problem?.details,
            newRowsLabel: list.new.isEmpty ? "" : texts.newOrders(list.new.count), anchor: isUnknown ? state.anchor : nil,
            size: list.next == nil ? nil : -1, rows: isUnknown ? JSONText(shown.map { row(at: $0, of: list) }[...]) : nil)
    }

    private func row(at index: Int, of list: CourierList) -> RenderedRow {
        let version = state.withLock { state in
            state.version += 1
            if state.list.revision == list.revision { state.watchedRows.markSent(index) }
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
