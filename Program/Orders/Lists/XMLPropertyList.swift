/// A reader of XML property lists that are flat dictionaries.
///
/// Apple's document type is skipped and never fetched. Elements nested in an entry are skipped too.
struct XMLPropertyList {
    private var tokens: XMLTokenizer

    init(_ document: [UInt8], charset: String? = nil) throws(OrderDocumentError) {
        tokens = try XMLTokenizer(document, charset: charset, documentTypes: .external)
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
        guard case .end = try nextToken() else { throw tokens.syntaxError("unexpected content after the dictionary") }
        guard case .finished = try nextToken() else { throw tokens.syntaxError("unexpected content after the list") }
        return entries
    }

    /// Returns the next token, with the local name of an element.
    private mutating func nextToken() throws(OrderDocumentError) -> XMLTokenizer.Token {
        let token = try tokens.next()
        guard case .start(let name) = token else { return token }
        return .start(ParsedElement(name).name)
    }

    private mutating func firstKey() throws(OrderDocumentError) -> String? {
        switch try nextToken() {
        case .start("key"): try text() ?? ""
        case .end: nil
        default: throw tokens.syntaxError("a key is missing")
        }
    }

    /// Returns the value of a key, and the next key if there is one.
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
        case .text, .finished: throw tokens.syntaxError("unexpected text between entries")
        }
    }

    /// Returns the text of the current element and consumes its end tag; nil when it contains elements.
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
            case .finished: throw tokens.syntaxError("unterminated element")
            }
        }
        return hasOnlyText ? text : nil
    }
}
