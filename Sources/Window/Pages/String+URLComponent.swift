import Foundation

extension String {
    /// As a component of a path or as a value in a query: what is not unreserved is escaped (RFC 3986 §2.3).
    var percentEncodedComponent: String { addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "" }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
