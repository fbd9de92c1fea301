/// The entities of a document: the five predefined ones of XML, and those that the document declares as plain text (XML 1.0 §4.2.1).
///
/// Declarations of external entities, and of entities that contain markup or references to other entities, are refused. So an entity
/// expands to at most the length of its declaration, and `expansionLimit` bounds all uses together.
struct XMLEntities {
    /// The maximum number of entities that a document may declare.
    static let countLimit = 64
    /// The maximum length of all expanded entities, in bytes.
    static let expansionLimit = 64 << 10

    private var texts: [String: String] = [:]
    private var expandedBytes = 0

    /// Declares an entity. The first declaration of a name is binding (§4.2).
    mutating func declare(_ name: String, as text: String) throws(OrderDocumentError) {
        guard texts[name] == nil else { return }
        guard texts.count < Self.countLimit else { throw .unsupportedDocumentType }
        texts[name] = text
    }

    /// Returns the text of a declared entity; nil when the name is not declared.
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
            let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init), scalar.isAllowedInXML
        else { return nil }
        return scalar
    }
}

extension Unicode.Scalar {
    /// Whether a character reference may denote this scalar (XML 1.0 §2.2).
    fileprivate var isAllowedInXML: Bool {
        value >= 0x20 && value != 0xFFFE && value != 0xFFFF || value == 0x09 || value == 0x0A || value == 0x0D
    }
}
