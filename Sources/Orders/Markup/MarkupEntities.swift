/// The entities of a document: the five of XML, and those that it defines itself as plain text (XML 1.0 §4.2.1).
///
/// An entity that holds a reference to another one, markup, or the address of anything is refused where it is declared. So an entity stands for
/// as many bytes as it was written with, and `expansionLimit` bounds all uses together.
struct MarkupEntities {
    /// The most entities that a document may define.
    static let countLimit = 64
    /// The most bytes that all uses of defined entities may add.
    static let expansionLimit = 64 << 10

    private var texts: [String: String] = [:]
    private var expandedBytes = 0

    /// Defines an entity; the first definition of a name counts (§4.2).
    mutating func define(_ name: String, as text: String) throws(OrderDocumentError) {
        guard texts[name] == nil else { return }
        guard texts.count < Self.countLimit else { throw .unsupportedDocumentType }
        texts[name] = text
    }

    /// Returns the text of a defined entity; nil when there is none of this name.
    mutating func expand(_ name: String) throws(OrderDocumentError) -> String? {
        guard let text = texts[name] else { return nil }
        expandedBytes += text.utf8.count
        guard expandedBytes <= Self.expansionLimit else { throw .expansionTooLong(limit: Self.expansionLimit) }
        return text
    }

    /// Returns the character of a predefined entity or of a character reference such as `#x41` (§4.1, §4.6).
    static func character(of name: String) -> Character? {
        switch name {
        case "lt": "<"
        case "gt": ">"
        case "amp": "&"
        case "apos": "'"
        case "quot": "\""
        default: numericCharacterReference(name).map(Character.init)
        }
    }

    private static func numericCharacterReference(_ name: String) -> Unicode.Scalar? {
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard name.hasPrefix("#"), let first = digits.first, first.isHexDigit, first.isASCII,
            let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init), scalar.isAllowedInMarkup
        else { return nil }
        return scalar
    }
}

extension Unicode.Scalar {
    /// Whether a reference may stand for it (XML 1.0 §2.2).
    fileprivate var isAllowedInMarkup: Bool {
        value >= 0x20 && value != 0xFFFE && value != 0xFFFF || value == 0x09 || value == 0x0A || value == 0x0D
    }
}
