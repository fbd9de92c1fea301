import HTTPTypes
import Hummingbird

/// The scheme, host and port by which a client reached the origin: documents lead back to the same.
struct PublicAddress: Hashable, Sendable {
    /// `http://localhost:8081`, without a slash at its end.
    let text: String

    private static let longestAuthority = 255 + ":65535".count

    /// Nil unless the request names a host in the characters of a name or an address (RFC 3986 §3.2.2).
    init?(of request: HTTPRequest) {
        guard let authority = request.authority, Self.isValid(authority) else { return nil }
        text = "\(request.scheme == "https" ? "https" : "http")://\(authority)"
    }

    /// - Throws: `HTTPError`, 400, when the request names no host that could go into a document.
    static func named(by request: Request) throws -> PublicAddress {
        guard let address = PublicAddress(of: request.head) else {
            throw HTTPError(.badRequest, message: "The Host header is missing or not valid.")
        }
        return address
    }

    func url(of path: OrderPath) -> String {
        "\(text)/\(OrderPath.folder)/\(path.fileName)"
    }

    private static func isValid(_ authority: String) -> Bool {
        guard authority.utf8.count <= longestAuthority else { return false }
        var rest = authority.utf8[...]
        let host: Substring.UTF8View
        if rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
            host = rest[rest.index(after: rest.startIndex)..<end]
            guard host.allSatisfy(isInAddress) else { return false }
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix(while: isInName)
            rest = rest[host.endIndex...]
        }
        return !host.isEmpty && (rest.isEmpty || isPort(rest))
    }

    private static func isPort(_ bytes: Substring.UTF8View) -> Bool {
        bytes.first == UInt8(ascii: ":") && (2...6).contains(bytes.count) && bytes.dropFirst().allSatisfy(isDigit)
    }

    /// A registered name or an IPv4 address.
    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: isDigit(byte)
        }
    }

    /// An IPv6 address between its brackets.
    private static func isInAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        case UInt8(ascii: ":"), UInt8(ascii: "."): true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
