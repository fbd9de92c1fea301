/// Reading of bytes, names, quoted values and comments.
extension XMLTokenizer {
    var isAtEnd: Bool { position >= bytes.count }

    /// Returns the byte at an index; 0, which no document contains, past the end.
    func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func isAt(_ text: String, ignoringCase: Bool = false) -> Bool {
        var index = position
        for expected in text.utf8 {
            let found = byte(at: index)
            guard found == expected || (ignoringCase && found | 0x20 == expected) else { return false }
            index += 1
        }
        return true
    }

    mutating func expect(_ text: String) throws(OrderDocumentError) {
        guard isAt(text) else { throw syntaxError("invalid tag") }
        position += text.utf8.count
    }

    mutating func skipWhitespace() {
        while byte(at: position).isXMLWhitespace { position += 1 }
    }

    /// Reads a name (§2.3).
    mutating func readName() throws(OrderDocumentError) -> Range<Int> {
        let start = position
        while byte(at: position).isPartOfXMLName { position += 1 }
        guard byte(at: start).startsXMLName, hasOnlyNameCharacters(start..<position) else { throw syntaxError("invalid tag") }
        return start..<position
    }

    /// Reads a value in single or double quotes and returns the range between them.
    mutating func readQuoted() throws(OrderDocumentError) -> Range<Int> {
        let quote = byte(at: position)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw syntaxError("quotes are missing") }
        let start = position + 1
        position = bytes[start...].firstIndex(of: quote) ?? bytes.count
        guard !isAtEnd else { throw syntaxError("unterminated quotes") }
        position += 1
        return start..<position - 1
    }

    mutating func skipComment() throws(OrderDocumentError) {
        position += 4
        while !isAt("--") {
            guard !isAtEnd else { throw syntaxError("unterminated comment") }
            position += 1
        }
        guard isAt("-->") else { throw syntaxError("a comment contains two hyphens") }
        position += 3
    }

    mutating func skipProcessingInstruction() throws(OrderDocumentError) {
        position += 2
        let target = string(try readName())
        guard target.lowercased() != "xml" else { throw syntaxError("an XML declaration is not at the start") }
        guard isAt("?>") || byte(at: position).isXMLWhitespace else { throw syntaxError("invalid processing instruction") }
        while !isAt("?>") {
            guard !isAtEnd else { throw syntaxError("unterminated processing instruction") }
            position += 1
        }
        position += 2
    }

    /// Whether the non-ASCII characters of a range may occur in a name.
    private func hasOnlyNameCharacters(_ range: Range<Int>) -> Bool {
        if bytes[range].allSatisfy({ $0 < 0x80 }) { return true }
        let scalars = string(range).unicodeScalars
        guard let first = scalars.first, first.isASCII || first.startsXMLName else { return false }
        return scalars.allSatisfy { $0.isASCII || $0.startsXMLName || $0.continuesXMLName }
    }
}

extension UInt8 {
    var isXMLWhitespace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
    var isASCIILetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }
    var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    fileprivate var startsXMLName: Bool { isASCIILetter || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: ":") }
    fileprivate var isPartOfXMLName: Bool {
        startsXMLName || isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a non-ASCII `NameStartChar` (XML 1.0 §2.3).
    fileprivate var startsXMLName: Bool {
        switch value {
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF,
            0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// Whether the scalar is a non-ASCII `NameChar` other than a `NameStartChar`.
    fileprivate var continuesXMLName: Bool {
        value == 0xB7 || (0x300...0x36F).contains(value) || (0x203F...0x2040).contains(value)
    }
}
