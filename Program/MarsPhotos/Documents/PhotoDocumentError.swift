/// An error in a document of a photo service as a whole.
public enum PhotoDocumentError: Error, Hashable, Sendable {
    case empty
    /// The document is markup, such as a login form or an error page of a proxy.
    case webPage
    /// The document is not valid JSON or is truncated; with the position and reason.
    case malformed(String)
    /// The member of this name is missing or of the wrong type.
    case missing(String)
    /// The document has more entries than `limit`.
    case tooManyEntries(limit: Int)
}

extension PhotoDocumentError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the document is empty"
        case .webPage: "expected a JSON document, received a web page"
        case .malformed(let reason): "invalid JSON: \(reason)"
        case .missing(let name): "the document has no “\(name)”"
        case .tooManyEntries(let limit): "the document has more than \(limit) entries"
        }
    }
}
