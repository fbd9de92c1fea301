import Foundation

extension OrderReference {
    /// Returns the references in `orders.plist` or `items.plist`, a dictionary of ids and addresses, sorted by id.
    ///
    /// Reads XML, binary and OpenStep property lists. Every entry becomes a reference.
    ///
    /// - Parameters:
    ///   - charset: The encoding named by the response, for documents that declare none.
    ///   - url: The URL of the list, the base of relative addresses; without it, relative addresses are errors.
    static func list(
        propertyList document: [UInt8], charset: String? = nil, at url: URL? = nil, entryLimit: Int = ListEntries.limit
    ) throws(OrderDocumentError) -> [OrderReference] {
        rows(of: try entries(document, charset, entryLimit).all, at: url)
    }

    private static func entries(_ document: [UInt8], _ charset: String?, _ limit: Int) throws(OrderDocumentError) -> ListEntries {
        if document.starts(with: "bplist".utf8) { return try BinaryPropertyList(document).entries(limit: limit) }
        // Byte order marks, the zero bytes of UTF-16, and white space.
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
        switch document.first(where: { !marks.contains($0) }) {
        case UInt8(ascii: "<"): return try XMLPropertyList(document, charset: charset).entries(limit: limit)
        case UInt8(ascii: "{"), UInt8(ascii: "/"):
            return try OldStylePropertyList(document, charset: charset).entries(limit: limit)
        case nil: throw .malformed("the document is empty")
        default: throw .notADictionary
        }
    }
}

// MARK: - Rows

extension OrderReference {
    /// The maximum length of a text id, in characters.
    private static let keyLimit = 200

    /// An entry that competes for an id; a key that equals the id's canonical text is preferred.
    private struct Candidate: Comparable {
        let id: OrderID
        let isExact: Bool
        let position: Int

        init(_ key: String, position: Int) {
            let exact = OrderID(key)
            id = exact.number == nil ? Int(key.trimmed).map { OrderID($0) } ?? exact : exact
            isExact = id == exact
            self.position = position
        }

        static func < (one: Candidate, other: Candidate) -> Bool {
            if one.id != other.id { return one.id < other.id }
            if one.isExact != other.isExact { return one.isExact }
            return one.position < other.position
        }
    }

    /// The entries that did not get the id of their key.
    private struct Rejected {
        var nonNumeric: [(key: String, flaw: OrderDocumentError)] = []
        var duplicates: [(key: String, flaw: OrderDocumentError)] = []
    }

    /// Returns one reference per entry, except for identical entries and entries that repeat an id without a usable address.
    ///
    /// The id 1 goes to the first entry with the key `1` and a usable address, otherwise to the first entry with a usable address whose key
    /// parses as 1, such as `01`. Other entries, and those with a non-numeric key, become error references with their key as the id.
    static func rows(of entries: [ListEntry], at url: URL? = nil) -> [OrderReference] {
        let candidates = entries.indices.map { Candidate(entries[$0].key, position: $0) }.sorted()
        var rows: [OrderReference] = []
        rows.reserveCapacity(entries.count)
        var rejected = Rejected()
        var start = 0
        while start < candidates.count {
            let id = candidates[start].id
            let end = candidates[start...].firstIndex { $0.id != id } ?? candidates.count
            let row = bestReference(of: candidates[start..<end].map { entries[$0.position] }, for: id, at: url, rejected: &rejected)
            if let row { rows.append(row) }
            start = end
        }
        return rows + errorReferences(for: rejected.nonNumeric + rejected.duplicates)
    }

    /// Returns the reference for an id among its competing entries, the best key first; nil when the id is not a number.
    private static func bestReference(of entries: [ListEntry], for id: OrderID, at url: URL?, rejected: inout Rejected) -> OrderReference? {
        let distinct = entries.count == 1 ? entries : entries.removingDuplicates
        guard id.number != nil else {
            rejected.nonNumeric.append((distinct[0].key, .nonNumericKey(distinct[0].key)))
            rejected.duplicates += distinct.dropFirst().map { ($0.key, .duplicateKey($0.key)) }
            return nil
        }
        let rows = distinct.map { OrderReference(id: id, $0.value, at: url) }
        guard rows.count > 1 else { return rows[0] }
        let best = rows.firstIndex(where: \.isUsable) ?? 0
        for index in rows.indices where index != best && rows[index].isUsable {
            rejected.duplicates.append((distinct[index].key, .duplicateKey(distinct[index].key)))
        }
        return rows[best]
    }

    private var isUsable: Bool { (try? url()) != nil }

    /// Returns references with the keys as ids, numbered where a key would not be unique.
    private static func errorReferences(for flawed: [(key: String, flaw: OrderDocumentError)]) -> [OrderReference] {
        var rows: [OrderReference] = []
        var usedIDs: Set<OrderID> = []
        var uses: [String: Int] = [:]
        for (key, flaw) in flawed {
            let name = String(key.prefix(keyLimit))
            var id = OrderID(name)
            while id.number != nil || !usedIDs.insert(id).inserted {
                uses[name, default: 1] += 1
                id = OrderID("\(name) (\(uses[name, default: 1]))")
            }
            rows.append(OrderReference(id: id, error: flaw))
        }
        return rows.sorted { $0.id < $1.id }
    }

    private init(id: OrderID, _ value: ListEntry.Value, at url: URL?) {
        switch value {
        case .text(let address): self.init(id: id, address: address.trimmed.resolved(against: url))
        case .other(let kind): self.init(id: id, error: .addressNotAString(kind))
        case .missing: self.init(id: id, error: .invalidAddress(""))
        }
    }
}

extension [ListEntry] {
    /// The entries in their order, without duplicates.
    fileprivate var removingDuplicates: [ListEntry] {
        var seen: Set<ListEntry> = []
        return filter { seen.insert($0).inserted }
    }
}
