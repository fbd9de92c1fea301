/// Reading of the internal subset of a document type (XML 1.0 §2.8): comments, instructions and plain-text entities.
extension XMLTokenizer {
    /// Reads the subset from its opening bracket to the closing one. Other declarations, such as those of elements, are refused.
    mutating func readInternalSubset() throws(OrderDocumentError) {
        position += 1
        while true {
            skipWhitespace()
            if byte(at: position) == UInt8(ascii: "]") { break }
            if isAt("<!--") {
                try skipComment()
            } else if isAt("<?") {
                try skipProcessingInstruction()
            } else {
                guard !isAtEnd else { throw syntaxError("unterminated document type") }
                guard isAt("<!ENTITY"), byte(at: position + 8).isXMLWhitespace else { throw .unsupportedDocumentType }
                try readEntity()
            }
        }
        position += 1
    }

    /// Reads `<!ENTITY name "text">`. Parameter entities and external entities are refused.
    private mutating func readEntity() throws(OrderDocumentError) {
        position += "<!ENTITY".utf8.count
        skipWhitespace()
        guard byte(at: position) != UInt8(ascii: "%") else { throw .unsupportedDocumentType }
        let name = string(try readName())
        skipWhitespace()
        guard byte(at: position) == UInt8(ascii: "\"") || byte(at: position) == UInt8(ascii: "'") else { throw .unsupportedDocumentType }
        let value = try readQuoted()
        let end = position
        // Reading the text moves the position back into the value.
        try entities.declare(name, as: try plainText(value))
        position = end
        skipWhitespace()
        try expect(">")
    }

    /// Returns the text in a range with character references replaced. Markup and references to other entities are refused.
    private mutating func plainText(_ range: Range<Int>) throws(OrderDocumentError) -> String {
        var text = ""
        position = range.lowerBound
        while position < range.upperBound {
            switch byte(at: position) {
            case UInt8(ascii: "<"), UInt8(ascii: "%"): throw .unsupportedDocumentType
            case UInt8(ascii: "&"): text.append(try readCharacterReference())
            default:
                let start = position
                while position < range.upperBound, !"<%&".utf8.contains(bytes[position]) { position += 1 }
                text += string(start..<position)
            }
        }
        return text.replacing("\r\n", with: "\n")
    }

    /// Reads a reference to a character or a predefined entity, such as `&#65;` or `&lt;`.
    ///
    /// A numeric reference is replaced where the entity is declared, a predefined entity only where it is used (§4.4). `&#38;` and `&#60;` would
    /// therefore begin markup in the document, and are refused; `&amp;` and `&lt;` are text there.
    private mutating func readCharacterReference() throws(OrderDocumentError) -> Character {
        guard let name = referenceName, let character = XMLEntities.character(of: name) else { throw .unsupportedDocumentType }
        let isNumeric = name.hasPrefix("#")
        guard !(isNumeric && (character == "&" || character == "<")) else { throw .unsupportedDocumentType }
        // The ampersand and the semicolon are not part of the name.
        position += name.utf8.count + 2
        return character
    }
}
