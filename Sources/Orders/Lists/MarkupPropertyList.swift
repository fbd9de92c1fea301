/// A property list in XML, read as far as it is a flat dictionary.
///
/// Apple's document type is passed over and never fetched. What is nested in an entry is passed over too.
struct MarkupPropertyList {
    private var tokens: MarkupTokenizer

    init(_ document: [UInt8], charset: String? = nil) throws(OrderDocumentError) {
        tokens = try MarkupTokenizer(document, charset: charset, documentTypes: .external)
    }

    consuming func entries(limit: Int) throws(OrderDocumentError) -> ListEntries {
        guard case .start(let root) = try nextToken() else { throw .notADictionary }
        guard root == "plist" else { throw .unexpectedRoot(root, expected: "plist") }
        guard case .start("dict") = try nextToken() else { throw .notADictionary }
        var entries = ListEntries(limit: limit)
        var key = try firstKey()
        while let current = key {
            let (value, next) = try value()
            try entries.append(current, value)
            key = next
        }
        guard case .end = try nextToken() else { throw tokens.syntaxError("something follows the dictionary") }
        guard case .finished = try nextToken() else { throw tokens.syntaxError("something follows the list") }
        return entries
    }

    /// Returns the next token; the name of an element is its local name.
    private mutating func nextToken() throws(OrderDocumentError) -> MarkupTokenizer.Token {
        let token = try tokens.next()
        guard case .start(let name) = token else { return token }
        return .start(MarkupElement(name).name)
    }

    private mutating func firstKey() throws(OrderDocumentError) -> String? {
        switch try nextToken() {
        case .start("key"): try text() ?? ""
        case .end: nil
        default: throw tokens.syntaxError("a key is missing")
        }
    }

    /// The value of a key, and the key after it when there is one.
    private mutating func value() throws(OrderDocumentError) -> (value: ListEntry.Value, next: String?) {
        switch try nextToken() {
        case .start("key"): return (.missing, try text() ?? "")
        case .end: return (.missing, nil)
        case .start("string"):
            let value = try text().map { ListEntry.Value.text($0) } ?? .other("string")
            return (value, try firstKey())
        case .start(let kind):
            _ = try text()
            return (.other(kind), try firstKey())
        case .text, .finished: throw tokens.syntaxError("text stands between the entries")
        }
    }

    /// The text of the element that has just begun, up to its end; nil when there are elements in it.
    private mutating func text() throws(OrderDocumentError) -> String? {
        var text = ""
        var depth = 1
        var hasOnlyText = true
        while depth > 0 {
            switch try nextToken() {
            case .start:
                depth += 1
                hasOnlyText = false
            case .text(let segment): if depth == 1 { text += segment }
            case .end: depth -= 1
            case .finished: throw tokens.syntaxError("an element does not end")
            }
        }
        return hasOnlyText ? text : nil
    }
}
