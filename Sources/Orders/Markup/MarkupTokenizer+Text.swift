extension MarkupTokenizer {
    /// The text up to the next tag, over comments and instructions; nil when it is white space alone.
    mutating func readText() throws(OrderDocumentError) -> String? {
        let start = position
        skipPlainText()
        if isAtTag { return visible(bytes[start..<position]) }
        var text = bytes[start..<position]
        while !isAtTag { try readPiece(into: &text) }
        return visible(text)
    }

    private mutating func readPiece(into text: inout ArraySlice<UInt8>) throws(OrderDocumentError) {
        switch byte(at: position) {
        case UInt8(ascii: "&"):
            text.append(contentsOf: String(try readReference()).utf8)
        case UInt8(ascii: "<"):
            try readMarkup(into: &text)
        case UInt8(ascii: "\r"):
            position += 1
            if byte(at: position) != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
        case UInt8(ascii: "]"):
            guard !looksAt("]]>") else { throw fault("CDATA ends that never began") }
            text.append(UInt8(ascii: "]"))
            position += 1
        case 0:
            throw fault("it ends too soon")
        default:
            let start = position
            skipPlainText()
            text += bytes[start..<position]
        }
    }

    /// Reads what begins with an angle bracket and is no tag.
    private mutating func readMarkup(into text: inout ArraySlice<UInt8>) throws(OrderDocumentError) {
        if looksAt("<!--") { return try skipComment() }
        if looksAt("<?") { return try skipInstruction() }
        guard looksAt("<![CDATA[") else { throw fault("there is a declaration inside an element") }
        position += 9
        while !looksAt("]]>") {
            guard !isAtEnd else { throw fault("CDATA does not end") }
            if looksAt("\r\n") { position += 1 }
            text.append(bytes[position] == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : bytes[position])
            position += 1
        }
        position += 3
    }

    /// Reads a character reference, or one of the five entities of XML (§4.1, §4.6).
    mutating func readReference() throws(OrderDocumentError) -> Character {
        guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw fault("an ampersand stands alone") }
        let name = string(position + 1..<end)
        guard let character = Self.character(of: name) else { throw fault("it uses an entity that is not declared") }
        position = end + 1
        return character
    }

    private static func character(of name: String) -> Character? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "apos": return "'"
        case "quot": return "\""
        default: break
        }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard name.hasPrefix("#"), let first = digits.first, first.isHexDigit, first.isASCII,
            let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init), scalar.isAllowedInMarkup
        else { return nil }
        return Character(scalar)
    }

    /// Goes on to what may be more than text.
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

    private func visible(_ text: ArraySlice<UInt8>) -> String? {
        text.allSatisfy(\.isMarkupSpace) ? nil : String(decoding: text, as: UTF8.self)
    }
}

extension Unicode.Scalar {
    /// Whether a reference may stand for it (XML 1.0 §2.2).
    fileprivate var isAllowedInMarkup: Bool {
        value >= 0x20 && value != 0xFFFE && value != 0xFFFF || value == 0x09 || value == 0x0A || value == 0x0D
    }
}
