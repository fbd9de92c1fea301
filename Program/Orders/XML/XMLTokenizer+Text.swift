extension XMLTokenizer {
    /// Reads the text up to the next tag, skipping comments and instructions; nil when it is empty, or white space that is not preserved.
    mutating func readText() throws(OrderDocumentError) -> String? {
        let start = position
        skipPlainText()
        if isAtTag { return significantText(bytes[start..<position]) }
        var text = bytes[start..<position]
        while !isAtTag { try readContent(into: &text) }
        return significantText(text)
    }

    private mutating func readContent(into text: inout ArraySlice<UInt8>) throws(OrderDocumentError) {
        switch byte(at: position) {
        case UInt8(ascii: "&"):
            text.append(contentsOf: try readReference().utf8)
        case UInt8(ascii: "<"):
            try readNonElement(into: &text)
        case UInt8(ascii: "\r"):
            position += 1
            if byte(at: position) != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
        case UInt8(ascii: "]"):
            guard !isAt("]]>") else { throw syntaxError("CDATA end without a start") }
            text.append(UInt8(ascii: "]"))
            position += 1
        case 0:
            throw syntaxError("unexpected end")
        default:
            let start = position
            skipPlainText()
            text += bytes[start..<position]
        }
    }

    /// Reads a comment, an instruction or a CDATA section; anything else is an error.
    private mutating func readNonElement(into text: inout ArraySlice<UInt8>) throws(OrderDocumentError) {
        if isAt("<!--") { return try skipComment() }
        if isAt("<?") { return try skipProcessingInstruction() }
        guard isAt("<![CDATA[") else { throw syntaxError("a declaration inside an element") }
        position += 9
        while !isAt("]]>") {
            guard !isAtEnd else { throw syntaxError("unterminated CDATA") }
            if isAt("\r\n") { position += 1 }
            text.append(bytes[position] == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : bytes[position])
            position += 1
        }
        position += 3
    }

    /// Reads a character or entity reference (§4.1).
    mutating func readReference() throws(OrderDocumentError) -> String {
        guard let name = referenceName else { throw syntaxError("an ampersand stands alone") }
        var text = XMLEntities.character(of: name).map(String.init)
        if text == nil { text = try entities.expand(name) }
        guard let text else { throw syntaxError("it uses an entity that is not declared") }
        position += name.utf8.count + 2
        return text
    }

    /// The name between an ampersand and its semicolon; nil when there is no semicolon.
    var referenceName: String? {
        bytes[position...].prefix(Self.referenceLimit).firstIndex(of: UInt8(ascii: ";")).map { string(position + 1..<$0) }
    }

    /// The maximum length of a reference, in bytes.
    private static let referenceLimit = 100

    /// Advances to the next byte that may begin markup, a reference or a line break.
    private mutating func skipPlainText() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "]"), UInt8(ascii: "\r"): return
            default: position += 1
            }
        }
    }

    private var isAtTag: Bool {
        guard byte(at: position) == UInt8(ascii: "<") else { return false }
        let next = byte(at: position + 1)
        return next != UInt8(ascii: "!") && next != UInt8(ascii: "?")
    }

    private func significantText(_ text: ArraySlice<UInt8>) -> String? {
        guard !text.isEmpty, retainsWhitespace || !text.allSatisfy(\.isXMLWhitespace) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
