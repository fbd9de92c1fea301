import HTTPTypes
import Hummingbird
import ServerSecurity

/// The scheme, host and port with which a client reached the origin; the URLs in documents use the same.
struct PublicAddress: Hashable, Sendable {
    /// `http://localhost:8081`, without a trailing slash.
    let text: String

    /// Creates the address of a request; nil unless its host has the characters of a name or an address (RFC 3986 §3.2.2).
    init?(of request: HTTPRequest) {
        guard let authority = request.authority, Authority(authority) != nil else { return nil }
        text = "\(request.scheme == "https" ? "https" : "http")://\(authority)"
    }

    /// Returns the address of a request.
    ///
    /// - Throws: `HTTPError`, 400, when the host is missing or invalid.
    static func address(of request: Request) throws -> PublicAddress {
        guard let address = PublicAddress(of: request.head) else {
            throw HTTPError(.badRequest, message: "The Host field is missing or invalid.")
        }
        return address
    }

    func url(of path: OrderPath) -> String {
        "\(text)/\(OrderPath.folder)/\(path.fileName)"
    }
}
