extension OrderReference {
    /// Reads `orders.plist` or `items.plist`, a dictionary of ids and addresses, in the order of the ids.
    ///
    /// The three notations of property lists are read: XML, binary and the old one of OpenStep. Every entry becomes a reference.
    static func list(
        propertyList document: [UInt8], entryLimit: Int = ListEntries.limit
    ) throws(OrderDocumentError) -> [OrderReference] {
        rows(of: try entries(document, entryLimit).all)
    }

    private static func entries(_ document: [UInt8], _ limit: Int) throws(OrderDocumentError) -> ListEntries {
        if document.starts(with: "bplist".utf8) { return try BinaryPropertyList(document).entries(limit: limit) }
        // Byte order marks, the zero bytes of UTF-16, and white space.
        let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
        switch document.first(where: { !marks.contains($0) }) {
        case UInt8(ascii: "<"): return try MarkupPropertyList(document).entries(limit: limit)
        case UInt8(ascii: "{"), UInt8(ascii: "/"): return try OldStylePropertyList(document).entries(limit: limit)
        case nil: throw .malformed("the document is empty")
        default: throw .noDictionary
        }
    }
}

// MARK: - Rows

extension OrderReference {
    /// The longest text that becomes an id, in characters.
    private static let keyLimit = 200

    /// What an entry lays claim to: an id, the better the more exactly its key is how that id is written.
    private struct Claim: Comparable {
        let id: OrderID
        let isExact: Bool
        let position: Int

        init(_ key: String, position: Int) {
            let exact = OrderID(key)
            id = exact.number == nil ? Int(key.trimmed).map { OrderID($0) } ?? exact : exact
            isExact = id == exact
            self.position = position
        }

        static func < (one: Claim, other: Claim) -> Bool {
            if one.id != other.id { return one.id < other.id }
            if one.isExact != other.isExact { return one.isExact }
            return one.position < other.position
        }
    }

    /// One reference for each entry, but for entries that are the same in all.
    ///
    /// The id 1 goes to the first entry with the key `1`, else to the first whose key reads as 1, such as `01`. Who comes too late, and whose key
    /// is no number, gets a row that says so, with its key as the id.
    static func rows(of entries: [ListEntry]) -> [OrderReference] {
        let claims = entries.indices.map { Claim(entries[$0].key, position: $0) }.sorted()
        var rows: [OrderReference] = []
        rows.reserveCapacity(entries.count)
        var nameless: [(key: String, flaw: OrderDocumentError)] = []
        var late: [(key: String, flaw: OrderDocumentError)] = []
        var seen: Set<ListEntry> = []
        for (index, claim) in claims.enumerated() {
            let entry = entries[claim.position]
            let isFirst = index == 0 || claims[index - 1].id != claim.id
            if isFirst { seen = [entry] } else if !seen.insert(entry).inserted { continue }
            if !isFirst {
                late.append((entry.key, .repeatedKey(entry.key)))
            } else if claim.id.number == nil {
                nameless.append((entry.key, .keyIsNoNumber(entry.key)))
            } else {
                rows.append(OrderReference(id: claim.id, entry.value))
            }
        }
        return rows + named(nameless + late)
    }

    /// References with the keys for ids, counted where they would not be unique.
    private static func named(_ flawed: [(key: String, flaw: OrderDocumentError)]) -> [OrderReference] {
        var rows: [OrderReference] = []
        var taken: Set<OrderID> = []
        var uses: [String: Int] = [:]
        for (key, flaw) in flawed {
            let name = String(key.prefix(keyLimit))
            var id = OrderID(name)
            while id.number != nil || !taken.insert(id).inserted {
                uses[name, default: 1] += 1
                id = OrderID("\(name) (\(uses[name, default: 1]))")
            }
            rows.append(OrderReference(id: id, flaw: flaw))
        }
        return rows.sorted { $0.id < $1.id }
    }

    private init(id: OrderID, _ value: ListEntry.Value) {
        switch value {
        case .text(let address): self.init(id: id, address: address.trimmed)
        case .other(let kind): self.init(id: id, flaw: .addressIsNoText(kind))
        case .missing: self.init(id: id, flaw: .noAddress(""))
        }
    }
}
