/// Which of the stored rows are wanted, and in which order.
public struct RecordQuery: Hashable, Sendable {
    /// The most characters of a search that count.
    public static let searchLimit = 200

    /// In which order rows are wanted.
    public enum Order: Hashable, Sendable {
        /// As the list came.
        case serverOrder
        /// By a key; equal rows as the list came, or the other way round when it descends. Rows without a value come last, whichever way.
        case sorted(RecordSortKey, descending: Bool = false)
        /// By the distance from a point; rows that lie nowhere are left out.
        case nearest(GeographicPoint)
    }

    /// Words, each of which must occur in a row, anywhere in its text; case, diacritics and width do not matter.
    public var search: String
    public var order: Order

    public init(search: String = "", order: Order = .serverOrder) {
        self.search = search
        self.order = order
    }

    /// The same query for rows with these keys. By another key, none of them has a value, and they stay in the order of the list.
    package func normalized(for keys: [RecordSortKey]) -> RecordQuery {
        guard case .sorted(let key, _) = order, !keys.contains(key) else { return self }
        return RecordQuery(search: search)
    }

    /// The words as they are looked for, without those that another one contains.
    package var words: [[UInt8]] {
        let words = FoldedText(String(search.prefix(Self.searchLimit))).bytes.split { $0 <= UInt8(ascii: " ") }.map(Array.init)
        let longestFirst = Set(words).sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count }
        return longestFirst.reduce(into: []) { kept, word in
            if !kept.contains(where: { $0.contains(word) }) { kept.append(word) }
        }
    }
}

/// A position in the order of a query. It stays good when rows come, move and go.
public struct RecordPosition: Hashable, Sendable {
    public var place: Int
    /// What the row is sorted by, or how far away it is; nil in the order of the list, and for a row without a value.
    public var value: RecordSortValue?

    public init(place: Int, value: RecordSortValue? = nil) {
        self.place = place
        self.value = value
    }
}

/// From where rows are read.
public enum ResultCursor: Hashable, Sendable {
    /// From the first row.
    case first
    /// The rows behind a position.
    case after(RecordPosition)
    /// The last rows before a position, in the order of the query.
    case before(RecordPosition)
    /// From so many rows behind the first.
    case index(Int)
}
