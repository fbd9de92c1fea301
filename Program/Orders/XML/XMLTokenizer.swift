/// A tokenizer for XML 1.0 documents that refuses malformed ones.
///
/// It resolves no external references, and expands only the predefined entities and those declared as plain text. Its only state is the
/// names of the open elements and the declared entities.
struct XMLTokenizer {
    enum Token: Hashable {
        case start(String)
        case text(String)
        case end
        case finished
    }

    /// The document types that are accepted.
    enum DocumentTypes {
        /// Document types without external references.
        case `internal`
        /// Document types with or without a public or system identifier, which is skipped and never fetched.
        case external
    }

    /// The maximum number of attributes of an element.
    static let attributeLimit = 64

    let bytes: [UInt8]
    var position = 0
    private let depthLimit: Int
    private let documentTypes: DocumentTypes
    /// Whether white space alone between two tags is a text token.
    let retainsWhitespace: Bool
    var entities = XMLEntities()
    /// The ranges of the names of the open elements.
    private var openElements: [Range<Int>] = []
    private var isEmptyElement = false
    private var hasRoot = false
    private var hasDocumentType = false

    /// - Parameter charset: The encoding named by the response, for documents that declare none.
    init(
        _ document: [UInt8], charset: String? = nil, depthLimit: Int = 64, documentTypes: DocumentTypes = .internal,
        retainsWhitespace: Bool = false
    ) throws(OrderDocumentError) {
        bytes = try DocumentEncoding.utf8(document, charset: charset)
        self.depthLimit = depthLimit
        self.documentTypes = documentTypes
        self.retainsWhitespace = retainsWhitespace
        if bytes.starts(with: DocumentEncoding.byteOrderMark) { position = 3 }
        if isAt("<?xml"), byte(at: position + 5).isXMLWhitespace { try readXMLDeclaration() }
    }

    mutating func next() throws(OrderDocumentError) -> Token {
        if isEmptyElement {
            isEmptyElement = false
            openElements.removeLast()
            return .end
        }
        if openElements.isEmpty { return try nextTokenBeyondRoot() }
        if let text = try readText() { return .text(text) }
        return byte(at: position + 1) == UInt8(ascii: "/") ? try readEndTag() : try readStartTag()
    }

    /// Returns an error with its line number.
    func syntaxError(_ reason: String) -> OrderDocumentError {
        .malformed("line \(bytes.line(at: min(position, bytes.count))), \(isAtEnd ? "unexpected end" : reason)")
    }
}

// MARK: - Prolog and epilog

extension XMLTokenizer {
    private mutating func nextTokenBeyondRoot() throws(OrderDocumentError) -> Token {
        while true {
            skipWhitespace()
            if isAtEnd, hasRoot { return .finished }
            guard byte(at: position) == UInt8(ascii: "<") else {
                throw syntaxError(hasRoot ? "unexpected content after the last element" : "expected an element")
            }
            if isAt("<!--") {
                try skipComment()
            } else if isAt("<?") {
                try skipProcessingInstruction()
            } else if isAt("<!") {
                try readDocumentType()
            } else {
                guard !hasRoot else { throw syntaxError("more than one root element") }
                hasRoot = true
                return try readStartTag()
            }
        }
    }

    private mutating func readDocumentType() throws(OrderDocumentError) {
        guard isAt("<!doctype", ignoringCase: true) else { throw syntaxError("invalid declaration") }
        guard isAt("<!DOCTYPE"), byte(at: position + 9).isXMLWhitespace, !hasDocumentType else { throw .unsupportedDocumentType }
        guard !hasRoot else { throw syntaxError("invalid declaration") }
        hasDocumentType = true
        position += "<!DOCTYPE".utf8.count
        skipWhitespace()
        _ = try readName()
        try readExternalIdentifier()
        if byte(at: position) == UInt8(ascii: "[") { try readInternalSubset() }
        skipWhitespace()
        try expect(">")
    }

    /// Skips `PUBLIC "…" "…"` or `SYSTEM "…"`, which begin with words of the same length.
    private mutating func readExternalIdentifier() throws(OrderDocumentError) {
        skipWhitespace()
        guard isAt("PUBLIC") || isAt("SYSTEM") else { return }
        guard documentTypes == .external else { throw .unsupportedDocumentType }
        position += "SYSTEM".utf8.count
        skipWhitespace()
        while byte(at: position) == UInt8(ascii: "\"") || byte(at: position) == UInt8(ascii: "'") {
            _ = try readQuoted()
            skipWhitespace()
        }
    }
}

// MARK: - Tags

extension XMLTokenizer {
    private mutating func readStartTag() throws(OrderDocumentError) -> Token {
        guard openElements.count < depthLimit else { throw .tooManyLevels(limit: depthLimit) }
        position += 1
        let name = try readName()
        openElements.append(name)
        if byte(at: position) != UInt8(ascii: ">") { try readAttributes() }
        if byte(at: position) == UInt8(ascii: "/") {
            isEmptyElement = true
            position += 1
        }
        try expect(">")
        return .start(string(name))
    }

    private mutating func readEndTag() throws(OrderDocumentError) -> Token {
        position += 2
        guard let name = openElements.last, bytes[name].elementsEqual(bytes[position...].prefix(name.count)) else {
            throw syntaxError("tags do not match")
        }
        position += name.count
        skipWhitespace()
        guard byte(at: position) == UInt8(ascii: ">") else { throw syntaxError("tags do not match") }
        position += 1
        openElements.removeLast()
        return .end
    }

    /// Validates attributes and discards them.
    private mutating func readAttributes() throws(OrderDocumentError) {
        var names: [ArraySlice<UInt8>] = []
        while true {
            let isApart = byte(at: position).isXMLWhitespace
            skipWhitespace()
            if byte(at: position) == UInt8(ascii: ">") || byte(at: position) == UInt8(ascii: "/") { return }
            guard isApart, names.count < Self.attributeLimit else { throw syntaxError("invalid tag") }
            let name = bytes[try readName()]
            guard !names.contains(name) else { throw syntaxError("duplicate attribute") }
            names.append(name)
            try readAttributeValue()
        }
    }

    private mutating func readAttributeValue() throws(OrderDocumentError) {
        skipWhitespace()
        try expect("=")
        skipWhitespace()
        let value = try readQuoted()
        let end = position
        guard !bytes[value].contains(UInt8(ascii: "<")) else { throw syntaxError("an attribute holds an angle bracket") }
        position = value.lowerBound
        while let reference = bytes[position..<value.upperBound].firstIndex(of: UInt8(ascii: "&")) {
            position = reference
            _ = try readReference()
        }
        position = end
    }

    /// Validates the XML declaration, which has no effect once the text is in UTF-8.
    private mutating func readXMLDeclaration() throws(OrderDocumentError) {
        position += 5
        for (name, isNeeded) in [("version", true), ("encoding", false), ("standalone", false)] {
            let start = position
            skipWhitespace()
            guard position > start, isAt(name) else {
                guard !isNeeded else { throw syntaxError("invalid XML declaration") }
                position = start
                continue
            }
            position += name.utf8.count
            skipWhitespace()
            try expect("=")
            skipWhitespace()
            let value = string(try readQuoted())
            guard name != "version" || value.hasPrefix("1.") else { throw syntaxError("expected XML 1.0") }
        }
        skipWhitespace()
        guard isAt("?>") else { throw syntaxError("invalid XML declaration") }
        position += 2
    }
}
