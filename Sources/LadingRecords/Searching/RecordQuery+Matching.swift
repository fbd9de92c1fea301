// The search and the order of a query, for stores that compare all of their rows.
extension RecordQuery {
    /// Whether a row with these indexed fields contains all words of the search.
    public func matches(_ fields: IndexedFields) -> Bool { words.allSatisfy(FoldedText(fields.text).contains) }

    /// Returns the position of a row in the order of the query; nil if the order does not contain the row.
    ///
    /// - Parameter place: The place of the row in the list.
    public func position(of fields: IndexedFields, at place: Int) -> RecordPosition? {
        switch order {
        case .serverOrder: return RecordPosition(place: place)
        case .sorted(let key, _): return RecordPosition(place: place, value: fields.sortValues[key]?.folded)
        case .nearest(let point):
            guard let difference = fields.location.map({ $0.unitVector - point.unitVector }) else { return nil }
            return RecordPosition(place: place, value: .number((difference * difference).sum().squareRoot()))
        }
    }

    /// Whether a position precedes another in the order of the query.
    public func isOrderedBefore(_ one: RecordPosition, _ other: RecordPosition) -> Bool {
        let isDescending = if case .sorted(_, true) = order { true } else { false }
        switch (one.value, other.value) {
        case (nil, _?): return false
        case (_?, nil): return true
        case (let mine?, let theirs?) where mine != theirs: return isDescending ? theirs < mine : mine < theirs
        default: return isDescending ? one.place > other.place : one.place < other.place
        }
    }
}
