import Foundation
import Orders

extension OrderID {
    /// The id as one component of a path.
    var pathComponent: String {
        description.addingPercentEncoding(withAllowedCharacters: .pathComponent) ?? ""
    }
}

extension CharacterSet {
    /// What stands for itself in a component of a path and in a value of a query (RFC 3986 §2.3).
    static let pathComponent = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
