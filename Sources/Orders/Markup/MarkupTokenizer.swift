/// Cuts an XML 1.0 document into tokens, one at a time, and refuses what is not well-formed.
///
/// It follows no reference to the outside, knows no entities but the five of XML and those that the document defines as plain text, and keeps
/// nothing else but the names of the elements that are open.
struct MarkupTokenizer {
    enum Token: Hashable {
        case start(String)
        case text(String)
        case end
        case finished
    }

    /// The document types that are read.
    enum DocumentTypes {
        /// Those without a reference to anything outside the document.
        case `internal`
        /// Those with a public or system identifier too, which is passed over and never fetched.
        case external
    }

    /// The most attributes of an element.
    static let attributeLimit = 64

    let bytes: [UInt8]
    var position = 0
    private let depthLimit: Int
    private let documentTypes: DocumentTypes
    /// Whether white space alone between two tags is a text.
    let keepsWhiteSpace: Bool
    var entities = MarkupEntities()
    /// Where the names of the open elements are.
    private var open: [Range<Int>] = []
    private var isEmptyElement = false
    private var hasRoot = false
    private var hasDocumentType = false

    /// - Parameter charset: The encoding that the response names, for documents that declare none.
    init(
        _ document: [UInt8], charset: String? = nil, depthLimit: Int = 64, documentTypes: DocumentTypes = .internal,
        keepsWhiteSpace: Bool = false
    ) throws(OrderDocumentError) {
        bytes = try DocumentEncoding.utf8(document, charset: charset)
        self.depthLimit = depthLimit
        self.documentTypes = documentTypes
        self.keepsWhiteSpace = keepsWhiteSpace
        if bytes.starts(with: DocumentEncoding.byteOrderMark) { position = 3 }
        if looksAt("<?xml"), byte(at: position + 5).isMarkupSpace { try readDeclaration() }
    }

    mutating func next() throws(OrderDocumentError) -> Token {
        if isEmptyElement {
            isEmptyElement = false
            open.removeLast()
            return .end
        }
        if open.isEmpty { return try nextOutside() }
        if let text = try readText() { return .text(text) }
        return byte(at: position + 1) == UInt8(ascii: "/") ? try readEndTag() : try readStartTag()
    }

    /// What is wrong, with the line it is in.
    func fault(_ reason: String) -> OrderDocumentError {
        .malformed("line \(bytes.line(at: min(position, bytes.count))), \(isAtEnd ? "it ends too soon" : reason)")
    }
}

// MARK: - Around the outermost element

extension MarkupTokenizer {
    private mutating func nextOutside() throws(OrderDocumentError) -> Token {
        while true {
            skipSpace()
            if isAtEnd, hasRoot { return .finished }
            guard byte(at: position) == UInt8(ascii: "<") else {
                throw fault(hasRoot ? "something follows the last element" : "it does not begin with an element")
            }
            if looksAt("<!--") {
                try skipComment()
            } else if looksAt("<?") {
                try skipInstruction()
            } else if looksAt("<!") {
                try readDocumentType()
            } else {
                guard !hasRoot else { throw fault("there is a second outermost element") }
                hasRoot = true
                return try readStartTag()
            }
        }
    }

    private mutating func readDocumentType() throws(OrderDocumentError) {
        guard looksAt("<!doctype", ignoringCase: true) else { throw fault("there is a declaration that is none") }
        guard looksAt("<!DOCTYPE"), byte(at: position + 9).isMarkupSpace, !hasDocumentType else { throw .documentType }
        guard !hasRoot else { throw fault("there is a declaration that is none") }
        hasDocumentType = true
        position += 9
        skipSpace()
        _ = try readName()
        try readExternalIdentifier()
        if byte(at: position) == UInt8(ascii: "[") { try readInternalSubset() }
        skipSpace()
        try expect(">")
    }

    /// Passes over `PUBLIC "…" "…"` or `SYSTEM "…"`.
    private mutating func readExternalIdentifier() throws(OrderDocumentError) {
        skipSpace()
        guard looksAt("PUBLIC") || looksAt("SYSTEM") else { return }
        guard documentTypes == .external else { throw .documentType }
        position += 6
        skipSpace()
        while byte(at: position) == UInt8(ascii: "\"") || byte(at: position) == UInt8(ascii: "'") {
            _ = try readQuoted()
            skipSpace()
        }
    }
}

// MARK: - Tags

extension MarkupTokenizer {
    private mutating func readStartTag() throws(OrderDocumentError) -> Token {
        guard open.count < depthLimit else { throw .tooDeep(limit: depthLimit) }
        position += 1
        let name = try readName()
        open.append(name)
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
        guard let name = open.last, bytes[name].elementsEqual(bytes[position...].prefix(name.count)) else {
            throw fault("tags do not match")
        }
        position += name.count
        skipSpace()
        guard byte(at: position) == UInt8(ascii: ">") else { throw fault("tags do not match") }
        position += 1
        open.removeLast()
        return .end
    }

    /// Attributes mean nothing here, but have to be well-formed.
    private mutating func readAttributes() throws(OrderDocumentError) {
        var names: [ArraySlice<UInt8>] = []
        while true {
            let isApart = byte(at: position).isMarkupSpace
            skipSpace()
            if byte(at: position) == UInt8(ascii: ">") || byte(at: position) == UInt8(ascii: "/") { return }
            guard isApart, names.count < Self.attributeLimit else { throw fault("a tag is no tag") }
            let name = bytes[try readName()]
            guard !names.contains(name) else { throw fault("an attribute is there twice") }
            names.append(name)
            try readAttributeValue()
        }
    }

    private mutating func readAttributeValue() throws(OrderDocumentError) {
        skipSpace()
        try expect("=")
        skipSpace()
        let value = try readQuoted()
        let end = position
        guard !bytes[value].contains(UInt8(ascii: "<")) else { throw fault("an attribute holds an angle bracket") }
        position = value.lowerBound
        while let reference = bytes[position..<value.upperBound].firstIndex(of: UInt8(ascii: "&")) {
            position = reference
            _ = try readReference()
        }
        position = end
    }

    /// The declaration says nothing that is needed any more once the text is in UTF-8, but has to be well-formed.
    private mutating func readDeclaration() throws(OrderDocumentError) {
        position += 5
        for (name, isNeeded) in [("version", true), ("encoding", false), ("standalone", false)] {
            let start = position
            skipSpace()
            guard position > start, looksAt(name) else {
                guard !isNeeded else { throw fault("the XML declaration is none") }
                position = start
                continue
            }
            position += name.utf8.count
            skipSpace()
            try expect("=")
            skipSpace()
            let value = string(try readQuoted())
            guard name != "version" || value.hasPrefix("1.") else { throw fault("it is no XML 1.0") }
        }
        skipSpace()
        guard looksAt("?>") else { throw fault("the XML declaration is none") }
        position += 2
    }
}
