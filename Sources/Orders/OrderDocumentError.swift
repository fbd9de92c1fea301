/// What is wrong with a document of the order service, or with an entry of its lists.
public enum OrderDocumentError: Error, Hashable, Sendable, Codable {
    /// It is longer than this many bytes.
    case tooLong(limit: Int)
    /// Its elements are nested deeper than this.
    case tooDeep(limit: Int)
    /// It declares a document type that refers to something outside, or defines more than plain text.
    case unsupportedDocumentType
    /// The entities that it defines stand for more than this many bytes.
    case expansionTooLong(limit: Int)
    /// Its text is in an encoding that is not read, such as this one.
    case unsupportedEncoding(String)
    /// It is not well-formed, or was cut off; where and why.
    case malformed(String)
    /// Its outermost element has this name instead of the other.
    case unexpectedRoot(String, expected: String)
    /// An element is missing; its path.
    case missing(String)
    /// An element should hold a number and holds this text; its path.
    case notANumber(String, text: String)
    /// An element holds a number that cannot be right; its path.
    case outOfRange(String, text: String)
    /// The list is no property list with a dictionary.
    case notADictionary
    /// The list has more entries than this.
    case tooManyEntries(limit: Int)
    /// The entry has a key that is no whole number.
    case nonNumericKey(String)
    /// The list has another entry of this id.
    case duplicateKey(String)
    /// The entry has something of this kind where an address should be.
    case addressNotAString(String)
    /// The entry has this where an address should be.
    case invalidAddress(String)
    /// The entry has an address longer than this many bytes.
    case addressTooLong(limit: Int)
    /// The entry has an address that does not say on which server.
    case relativeAddress(String)
    /// The entry has an address of this scheme, which is neither http nor https.
    case unsupportedScheme(String)
    /// The catalogue has no item of this id.
    case unknownItem(Int)

    private enum CodingKeys: String, CodingKey {
        case tooLong, tooDeep, expansionTooLong, malformed, unexpectedRoot, missing, notANumber, outOfRange,
            tooManyEntries, addressTooLong, relativeAddress, unknownItem
        case unsupportedDocumentType = "documentType"
        case unsupportedEncoding = "encoding"
        case notADictionary = "noDictionary"
        case nonNumericKey = "keyIsNoNumber"
        case duplicateKey = "repeatedKey"
        case addressNotAString = "addressIsNoText"
        case invalidAddress = "noAddress"
        case unsupportedScheme = "foreignScheme"
    }
}

extension OrderDocumentError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong(let limit): "the document is longer than \(limit) bytes"
        case .tooDeep(let limit): "elements are nested deeper than \(limit)"
        case .unsupportedDocumentType: "the document declares a document type that is refused"
        case .expansionTooLong(let limit): "the entities of the document stand for more than \(limit) bytes"
        case .unsupportedEncoding(let name): "the encoding \(name.prefix(40)) is not read"
        case .malformed(let reason): "not well-formed: \(reason)"
        case .unexpectedRoot(let name, let expected): "the outermost element is <\(name.prefix(40))>, <\(expected)> was expected"
        case .missing(let path): "<\(path)> is missing"
        case .notANumber(let path, let text): "<\(path)> is no number: \(text.prefix(40))"
        case .outOfRange(let path, let text): "<\(path)> cannot be \(text.prefix(40))"
        case .notADictionary: "the list is no property list with a dictionary"
        case .tooManyEntries(let limit): "the list has more than \(limit) entries"
        case .nonNumericKey(let key): "the list has a key that is no number: \(key.prefix(40))"
        case .duplicateKey(let key): "the list has another entry for \(key.prefix(40))"
        case .addressNotAString(let kind): "the list gives no address but <\(kind.prefix(40))>"
        case .invalidAddress(let text): text.isEmpty ? "the list gives no address" : "the list gives no address: \(text.prefix(80))"
        case .addressTooLong(let limit): "the list gives an address longer than \(limit) bytes"
        case .relativeAddress(let text): "the list gives an address without a server: \(text.prefix(80))"
        case .unsupportedScheme(let scheme): "only http and https addresses are opened, not \(scheme.prefix(40)):"
        case .unknownItem(let id): "the catalogue has no item \(id)"
        }
    }
}
