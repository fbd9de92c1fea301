/// Why a page of deliveries could not be read as one.
public enum DeliveryDocumentError: Error, Hashable, Sendable {
    case empty
    /// It is a page for browsers, such as a login form or the words of a proxy.
    case webPage
    /// It is no JSON, or was cut off; where and why.
    case malformed(String)
    /// It is JSON, but something of this kind where a list should be.
    case notAnArray(String)
    /// It has more rows than this.
    case tooManyRows(limit: Int)
}

extension DeliveryDocumentError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "the document is empty"
        case .webPage: "this is a web page, and should be a list of deliveries in JSON"
        case .malformed(let reason): "no proper JSON: \(reason)"
        case .notAnArray(let kind): "this is \(kind), and should be a list of deliveries"
        case .tooManyRows(let limit): "the page has more than \(limit) deliveries"
        }
    }
}
