/// An entry of a property list's dictionary as written in the document.
struct ListEntry: Hashable {
    enum Value: Hashable {
        case text(String)
        /// A value of another type, by the name of its XML element.
        case other(String)
        case missing
    }

    var key: String
    var value: Value
}

/// The entries of a list in document order, up to a limit.
struct ListEntries {
    /// The maximum number of entries of any list.
    static let limit = 2_000_000

    private(set) var all: [ListEntry] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ key: String, _ value: ListEntry.Value) throws(OrderDocumentError) {
        guard all.count < limit else { throw .tooManyEntries(limit: limit) }
        all.append(ListEntry(key: key, value: value))
    }
}
