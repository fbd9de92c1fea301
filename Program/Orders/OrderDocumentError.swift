/// An error in a document of the order service or in an entry of its lists.
public enum OrderDocumentError: Error, Hashable, Sendable, Codable {
    /// The document is longer than `limit` bytes.
    case tooLong(limit: Int)
    /// Elements are nested deeper than `limit`.
    case tooManyLevels(limit: Int)
    /// The document type has an external reference or declares more than plain-text entities.
    case unsupportedDocumentType
    /// The expanded entities are longer than `limit` bytes.
    case expansionTooLong(limit: Int)
    /// The encoding is not supported.
    case unsupportedEncoding(String)
    /// The document is not well-formed or is truncated; with the position and reason.
    case malformed(String)
    /// The outermost element has another name than expected.
    case unexpectedRoot(String, expected: String)
    /// An element is missing; with its path.
    case missing(String)
    /// An element contains a text that is not a number; with its path.
    case notANumber(String, text: String)
    /// An element contains a number that is out of range; with its path.
    case outOfRange(String, text: String)
    /// The list is not a property list with a dictionary.
    case notADictionary
    /// The list has more entries than `limit`.
    case tooManyEntries(limit: Int)
    /// The key of the entry is not a whole number.
    case nonNumericKey(String)
    /// The list has another entry with this id.
    case duplicateKey(String)
    /// The value of the entry is not a string but of this kind.
    case addressNotAString(String)
    /// The value of the entry is not a valid address.
    case invalidAddress(String)
    /// The address of the entry is longer than `limit` bytes.
    case addressTooLong(limit: Int)
    /// The address of the entry is relative and cannot be resolved.
    case relativeAddress(String)
    /// The address of the entry has a scheme other than http and https.
    case unsupportedScheme(String)
    /// The catalog has no item with this id.
    case unknownItem(Int)

    private enum CodingKeys: String, CodingKey {
        case tooLong, tooManyLevels, expansionTooLong, malformed, unexpectedRoot, missing, notANumber, outOfRange,
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
        case .tooLong(let limit): "the document exceeds the limit of \(limit) bytes"
        case .tooManyLevels(let limit): "elements are nested more than \(limit) levels deep"
        case .unsupportedDocumentType: "the document type declaration is not supported"
        case .expansionTooLong(let limit): "the expanded entities exceed the limit of \(limit) bytes"
        case .unsupportedEncoding(let name): "the encoding \(name.prefix(40)) is not supported"
        case .malformed(let reason): "not well-formed: \(reason)"
        case .unexpectedRoot(let name, let expected): "the root element is <\(name.prefix(40))>, expected <\(expected)>"
        case .missing(let path): "<\(path)> is missing"
        case .notANumber(let path, let text): "<\(path)> is not a number: \(text.prefix(40))"
        case .outOfRange(let path, let text): "<\(path)> is out of range: \(text.prefix(40))"
        case .notADictionary: "the list is not a property list with a dictionary"
        case .tooManyEntries(let limit): "the list has more than \(limit) entries"
        case .nonNumericKey(let key): "the key is not a number: \(key.prefix(40))"
        case .duplicateKey(let key): "duplicate entry for \(key.prefix(40))"
        case .addressNotAString(let kind): "expected a URL string, found <\(kind.prefix(40))>"
        case .invalidAddress(let text): text.isEmpty ? "the URL is missing" : "invalid URL: \(text.prefix(80))"
        case .addressTooLong(let limit): "the URL exceeds the limit of \(limit) bytes"
        case .relativeAddress(let text): "the URL has no host: \(text.prefix(80))"
        case .unsupportedScheme(let scheme): "the URL scheme must be http or https, not \(scheme.prefix(40)):"
        case .unknownItem(let id): "no item \(id) in the catalog"
        }
    }
}
