import Orders

extension OrderLine {
    /// Returns the lines that match a query, in its order. Failed lines follow them, as their fields are unknown.
    static func filteredAndSorted(_ lines: [OrderLine], by query: OrderQuery) -> [OrderLine] {
        guard !query.isDefault else { return lines }
        let loaded = lines.compactMap { line in
            if case .loaded(let order) = line { (line: line, fields: OrderIndexedFields(order)) } else { nil }
        }
        let query = query.resolved(with: loaded.map(\.fields))
        // The sort is stable: equal orders remain in the order of the list.
        let found = loaded.filter { query.matches($0.fields) }.sorted { query.isOrderedBefore($0.fields, $1.fields) }
        return found.map(\.line) + lines.filter { $0.error != nil }
    }
}
