import Foundation
import HTTPTypes
import LadingHTTP

/// The server that a proxy answers for, and how its messages are made of those of clients (RFC 9110 §7.6).
struct ProxyOrigin: Sendable {
    /// What the proxy is called in `Via`.
    static let pseudonym = "lading"

    private let base: String
    /// The path of the base, without a slash at its end.
    private let path: String

    init(_ url: URL) {
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        base = text
        path = String(text.drop { $0 != "/" }.drop { $0 == "/" }.drop { $0 != "/" })
    }

    /// The message for a target as clients write it: a path with its query, which the origin gets as it is; nil when it is none.
    func message(_ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields, _ body: RequestBody) -> RequestMessage? {
        // SwiftNIO leaves out the hyphen of this one.
        let method = method.rawValue == "MSEARCH" ? HTTPRequest.Method("M-SEARCH")! : method
        guard target.hasPrefix("/"), target.utf8.allSatisfy(Self.isAllowedInTarget), let url = URL(string: base + target) else { return nil }
        var headers = headers.withoutConnectionFields
        for field in headers where Self.describesClient(field.name) { headers[field.name] = nil }
        for name in [HTTPField.Name.contentLength, .expect, .host].compactMap({ $0 }) { headers[name] = nil }
        headers.append(HTTPField(name: .via, value: "1.1 \(Self.pseudonym)"))
        var message = RequestMessage(method: method, url: url, headers: headers, body: body)
        message.requestTarget = path + target
        return message
    }

    /// Whether a byte may be in a target: no control, no space, and no fragment, which is not sent.
    private static func isAllowedInTarget(_ byte: UInt8) -> Bool { byte > UInt8(ascii: " ") && byte != 0x7F && byte != UInt8(ascii: "#") }

    /// Whether a field says of a client what only a proxy in front can know (RFC 7239). The origin would believe this proxy, which knows no more than the
    /// client claims.
    private static func describesClient(_ name: HTTPField.Name) -> Bool {
        name.canonicalName == "forwarded" || name.canonicalName == "x-real-ip" || name.canonicalName.hasPrefix("x-forwarded-")
    }

    /// The head of an interim response as it is passed on.
    static func interimHead(_ head: ResponseHead) -> HTTPResponse {
        HTTPResponse(status: head.status, headerFields: head.headers.withoutConnectionFields)
    }

    /// The head of a reply as it is handed on.
    static func head(_ head: ResponseHead, now: Date) -> HTTPResponse {
        var headers = head.headers.withoutConnectionFields
        if headers[.date] == nil { headers[.date] = now.httpDate }
        headers.append(HTTPField(name: .via, value: "1.1 \(pseudonym)"))
        return HTTPResponse(status: head.status, headerFields: headers)
    }
}

extension HTTPField.Name {
    static let via = Self("Via")!
    static let host = Self("Host")
}
