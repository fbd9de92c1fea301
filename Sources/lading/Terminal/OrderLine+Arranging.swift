import Orders

extension OrderLine {
    /// The lines that an arrangement shows, in its order; lines that failed come last, as nothing is known of them.
    static func arranged(_ lines: [OrderLine], by arrangement: OrderArrangement) -> [OrderLine] {
        guard !arrangement.isPlain else { return lines }
        let loaded = lines.compactMap { line in
            if case .loaded(let order) = line { (line: line, facts: OrderFacts(order)) } else { nil }
        }
        let arrangement = arrangement.completed(by: loaded.map(\.facts))
        let found = loaded.filter { arrangement.admits($0.facts) }
        let sorted = found.enumerated().sorted { one, other in
            if arrangement.precedes(one.element.facts, other.element.facts) { return true }
            return !arrangement.precedes(other.element.facts, one.element.facts) && one.offset < other.offset
        }
        return sorted.map(\.element.line) + lines.filter { $0.error != nil }
    }
}
