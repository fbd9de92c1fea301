import Orders

extension OrderLine {
    /// The lines that an arrangement shows, in its order; lines that failed come last, as nothing is known of them.
    static func filteredAndSorted(_ lines: [OrderLine], by query: OrderQuery) -> [OrderLine] {
        guard !query.isDefault else { return lines }
        let loaded = lines.compactMap { line in
            if case .loaded(let order) = line { (line: line, facts: OrderIndexedFields(order)) } else { nil }
        }
        let query = query.resolved(with: loaded.map(\.facts))
        // The sort is stable: orders that are equal keep the order of the list.
        let found = loaded.filter { query.matches($0.facts) }.sorted { query.precedes($0.facts, $1.facts) }
        return found.map(\.line) + lines.filter { $0.error != nil }
    }
}
