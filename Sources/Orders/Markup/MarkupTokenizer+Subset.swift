/// The internal subset of a document type (XML 1.0 §2.8): comments, instructions, and entities that are plain text.
extension MarkupTokenizer {
    mutating func readInternalSubset() throws(OrderDocumentError) {
        position += 1
        while true {
            skipSpace()
            if byte(at: position) == UInt8(ascii: "]") { break }
            if looksAt("<!--") {
                try skipComment()
            } else if looksAt("<?") {
                try skipInstruction()
            } else {
                guard !isAtEnd else { throw fault("a document type does not end") }
                guard looksAt("<!ENTITY"), byte(at: position + 8).isMarkupSpace else { throw .documentType }
                try readEntity()
            }
        }
        position += 1
    }

    /// Reads `<!ENTITY name "text">`. A parameter entity, and one that lies outside the document, is refused.
    private mutating func readEntity() throws(OrderDocumentError) {
        position += 8
        skipSpace()
        guard byte(at: position) != UInt8(ascii: "%") else { throw .documentType }
        let name = string(try readName())
        skipSpace()
        guard byte(at: position) == UInt8(ascii: "\"") || byte(at: position) == UInt8(ascii: "'") else { throw .documentType }
        let value = try readQuoted()
        let end = position
        try entities.define(name, as: try plainText(value))
        position = end
        skipSpace()
        try expect(">")
    }

    /// Returns the text in a range with its character references replaced; markup and references to other entities are refused.
    private mutating func plainText(_ range: Range<Int>) throws(OrderDocumentError) -> String {
        var text = ""
        position = range.lowerBound
        while position < range.upperBound {
            switch byte(at: position) {
            case UInt8(ascii: "<"), UInt8(ascii: "%"): throw .documentType
            case UInt8(ascii: "&"): text.append(try readHarmlessReference())
            default:
                let start = position
                while position < range.upperBound, !"<%&".utf8.contains(bytes[position]) { position += 1 }
                text += string(start..<position)
            }
        }
        return text.replacing("\r\n", with: "\n")
    }

    /// Reads a reference to a character. `&#38;` and `&#60;` would be markup where the entity is used, and are refused.
    private mutating func readHarmlessReference() throws(OrderDocumentError) -> Character {
        guard let name = referenceName, let character = MarkupEntities.character(of: name) else { throw .documentType }
        guard !name.hasPrefix("#") || character != "&" && character != "<" else { throw .documentType }
        position += name.utf8.count + 2
        return character
    }
}
