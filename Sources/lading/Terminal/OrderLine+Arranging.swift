import Orders

extension OrderLine {
    /// The lines that an arrangement shows, in its order; lines that failed come last, as nothing is known of them.
    static func arranged(_ lines: [OrderLine], by arrangement: OrderArrangement) -> [OrderLine] {
        guard !arrangement.isPlain else { return lines }
        let loaded = lines.compactMap { line in
            if case .loaded(let order) = line { (line: line, facts: OrderFacts(order)) } else { nil }
        }
        let arrangement = arrangement.completed(by: loaded.map(\.facts))
        // The sort is stable: orders that are equal keep the order of the list.
        let found = loaded.filter { arrangement.admits($0.facts) }.sorted { arrangement.precedes($0.facts, $1.facts) }
        return found.map(\.line) + lines.filter { $0.error != nil }
    }
}
