/// One entry of a property list's dictionary, as it stands there.
struct ListEntry: Hashable {
    enum Value: Hashable {
        case text(String)
        /// Something else, by the name that its element has in XML.
        case other(String)
        case missing
    }

    var key: String
    var value: Value
}

/// The entries of a list in the order of the document, up to a bound.
struct ListEntries {
    /// The most entries of any list.
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
