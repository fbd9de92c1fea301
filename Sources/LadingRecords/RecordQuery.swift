/// A search of stored rows and the order of the results.
public struct RecordQuery: Hashable, Sendable {
    /// The maximum number of characters of a search that are used.
    package static let searchLimit = 200

    /// The order of the results.
    public enum Order: Hashable, Sendable {
        /// The order of the list.
        case serverOrder
        /// The order of a key; rows with equal values have list order, reversed if descending. Rows without a value are last in both directions.
        case sorted(RecordSortKey, descending: Bool = false)
        /// The order of the distance from a point; rows without a location are omitted.
        case nearest(GeographicPoint)
    }

    /// The words that must all occur in the text of a row; case, diacritics and width are ignored.
    public var search: String
    public var order: Order

    public init(search: String = "", order: Order = .serverOrder) {
        self.search = search
        self.order = order
    }

    /// Returns the query for rows with these sort keys; an unknown key sorts as the list order.
    public func normalized(for keys: [RecordSortKey]) -> RecordQuery {
        guard case .sorted(let key, _) = order, !keys.contains(key) else { return self }
        return RecordQuery(search: search)
    }

    /// The distinct folded words, without words that are part of another.
    package var words: [[UInt8]] {
        let words = FoldedText(String(search.prefix(Self.searchLimit))).bytes.split { $0 <= UInt8(ascii: " ") }.map(Array.init)
        let longestFirst = Set(words).sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count }
        return longestFirst.reduce(into: []) { selected, word in
            if !selected.contains(where: { $0.contains(word) }) { selected.append(word) }
        }
    }
}

/// A position in the order of a query. It remains valid when rows are added, moved and removed.
public struct RecordPosition: Hashable, Sendable {
    public var place: Int
    /// The sort value of the row, or its straight distance in radii of the globe (0...2); nil in list order and for a row without a value.
    public var value: RecordSortValue?

    public init(place: Int, value: RecordSortValue? = nil) {
        self.place = place
        self.value = value
    }
}

/// The position from which results are read.
public enum ResultCursor: Hashable, Sendable {
    /// From the first row.
    case first
    /// The rows after a position.
    case after(RecordPosition)
    /// The last rows before a position, in the order of the query.
    case before(RecordPosition)
    /// From this index.
    case index(Int)
}
