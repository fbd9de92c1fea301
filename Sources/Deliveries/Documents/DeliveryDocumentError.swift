/// An error for which a page of deliveries is refused as a whole.
public enum DeliveryDocumentError: Error, Hashable, Sendable {
    case empty
    /// The document is markup, such as a login form or an error page of a proxy.
    case webPage
    /// The document is not valid JSON or is truncated; with the position and reason.
    case malformed(String)
    /// The document is a JSON value of this kind instead of an array: `an object`.
    case notAnArray(String)
    /// The page has more rows than `limit`.
    case tooManyRows(limit: Int)
}

extension DeliveryDocumentError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the document is empty"
        case .webPage: "expected a JSON list of deliveries, received a web page"
        case .malformed(let reason): "invalid JSON: \(reason)"
        case .notAnArray(let kind): "expected a list of deliveries, received \(kind)"
        case .tooManyRows(let limit): "the page has more than \(limit) deliveries"
        }
    }
}
