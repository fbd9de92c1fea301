import Foundation

extension String {
    /// The text percent-encoded for use in a path component or a query value: everything but unreserved characters (RFC 3986 §2.3).
    var percentEncodedComponent: String { addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "" }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
