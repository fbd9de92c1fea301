/// Cuts an XML 1.0 document into tokens, one at a time, and refuses what is not well-formed.
///
/// It follows no reference to the outside, knows no entities but the five of XML, and keeps nothing but the names of the elements that are
/// open. White space alone between two tags is passed over.
struct MarkupTokenizer {
    enum Token: Hashable {
        case start(String)
        case text(String)
        case end
        case finished
    }

    /// Whether a document type may be declared. One with an internal subset, which could define entities, never may.
    enum DocumentTypes {
        case refused
        case external
    }

    /// The most attributes of an element.
    static let attributeLimit = 64

    let bytes: [UInt8]
    var position = 0
    private let depthLimit: Int
    private let documentTypes: DocumentTypes
    /// Where the names of the open elements are.
    private var open: [Range<Int>] = []
    private var isEmptyElement = false
    private var hasRoot = false
    private var hasDocumentType = false

    init(_ document: [UInt8], depthLimit: Int = 64, documentTypes: DocumentTypes = .refused) throws(OrderDocumentError) {
        bytes = try DocumentEncoding.utf8(document)
        self.depthLimit = depthLimit
        self.documentTypes = documentTypes
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

    /// Passes over a document type that only refers to something outside, which is not looked at.
    private mutating func readDocumentType() throws(OrderDocumentError) {
        guard looksAt("<!doctype", ignoringCase: true) else { throw fault("there is a declaration that is none") }
        guard documentTypes == .external, !hasDocumentType else { throw .documentType }
        guard looksAt("<!DOCTYPE"), !hasRoot else { throw fault("there is a declaration that is none") }
        hasDocumentType = true
        position += 9
        while byte(at: position) != UInt8(ascii: ">") {
            switch byte(at: position) {
            case UInt8(ascii: "["): throw .documentType
            case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try readQuoted()
            case 0, UInt8(ascii: "<"): throw fault("a document type does not end")
            default: position += 1
            }
        }
        position += 1
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
