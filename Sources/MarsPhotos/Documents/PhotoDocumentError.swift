/// Why a document of a photo service could not be read as one.
public enum PhotoDocumentError: Error, Hashable, Sendable {
    case empty
    /// It is a page for browsers, such as a login form or the words of a proxy.
    case webPage
    /// It is no JSON, or was cut off; where and why.
    case malformed(String)
    /// It is JSON, but has no member of this name, or not of the right kind.
    case missing(String)
    /// It has more entries than this.
    case tooManyEntries(limit: Int)
}

extension PhotoDocumentError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the document is empty"
        case .webPage: "this is a web page, and should be a document in JSON"
        case .malformed(let reason): "no proper JSON: \(reason)"
        case .missing(let name): "the document has no “\(name)”"
        case .tooManyEntries(let limit): "the document has more than \(limit) entries"
        }
    }
}
