/// What is wrong with a document of the order service.
public enum OrderDocumentError: Error, Hashable, Sendable {
    /// It is longer than this many bytes.
    case tooLong(limit: Int)
    /// Its elements are nested deeper than this.
    case tooDeep(limit: Int)
    /// It declares a document type, which these documents never do.
    case documentType
    /// Its text is in an encoding that is not read, such as this one.
    case encoding(String)
    /// It is no well-formed XML, or was cut off; where and why.
    case malformed(String)
    /// Its outermost element has this name instead of the other.
    case unexpectedRoot(String, expected: String)
    /// An element is missing; its path.
    case missing(String)
    /// An element should hold a number and holds this text; its path.
    case notANumber(String, text: String)
    /// The list is no property list with a dictionary.
    case noDictionary
    /// The list has a key that is no whole number.
    case keyIsNoNumber(String)
    /// The list gives this in place of an address.
    case noAddress(String)
    /// The catalogue has no item of this id.
    case unknownItem(Int)
}

extension OrderDocumentError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong(let limit): "the document is longer than \(limit) bytes"
        case .tooDeep(let limit): "elements are nested deeper than \(limit)"
        case .documentType: "the document declares a document type, which is refused"
        case .encoding(let name): "the encoding \(name) is not read"
        case .malformed(let reason): "not well-formed: \(reason)"
        case .unexpectedRoot(let name, let expected): "this is a <\(name)>, not an <\(expected)>"
        case .missing(let path): "<\(path)> is missing"
        case .notANumber(let path, let text): "<\(path)> is no number: \(text.prefix(40))"
        case .noDictionary: "the list is no property list with a dictionary"
        case .keyIsNoNumber(let key): "the list has a key that is no number: \(key.prefix(40))"
        case .noAddress(let text): "the list gives no address: \(text.prefix(80))"
        case .unknownItem(let id): "the catalogue has no item \(id)"
        }
    }
}
