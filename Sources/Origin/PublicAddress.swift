import HTTPTypes
import Hummingbird
import ServerSecurity

/// The scheme, host and port by which a client reached the origin: documents lead back to the same.
struct PublicAddress: Hashable, Sendable {
    /// `http://localhost:8081`, without a slash at its end.
    let text: String

    /// Nil unless the request names a host in the characters of a name or an address (RFC 3986 §3.2.2).
    init?(of request: HTTPRequest) {
        guard let authority = request.authority, Authority(authority) != nil else { return nil }
        text = "\(request.scheme == "https" ? "https" : "http")://\(authority)"
    }

    /// - Throws: `HTTPError`, 400, when the request names no host that could go into a document.
    static func address(of request: Request) throws -> PublicAddress {
        guard let address = PublicAddress(of: request.head) else {
            throw HTTPError(.badRequest, message: "The Host header is missing or not valid.")
        }
        return address
    }

    func url(of path: OrderPath) -> String {
        "\(text)/\(OrderPath.folder)/\(path.fileName)"
    }
}
