import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingHTTP

/// The origin of a proxy, and the conversion of messages between clients and the origin (RFC 9110 §7.6).
struct ProxyOrigin: Sendable {
    /// The name of the proxy in `Via`.
    static let pseudonym = "lading"

    private let base: String
    /// The path of the base URL, without a trailing slash.
    private let path: String

    init(_ url: URL) {
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        base = text
        path = String(text.drop { $0 != "/" }.drop { $0 == "/" }.drop { $0 != "/" })
    }

    /// Returns the message for a request target, which is a path with its query and is sent unchanged; nil for any other target.
    func message(_ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields, _ body: RequestBody) -> RequestMessage? {
        // SwiftNIO omits the hyphen of this method.
        let method = method.rawValue == "MSEARCH" ? HTTPRequest.Method("M-SEARCH")! : method
        guard target.hasPrefix("/"), target.utf8.allSatisfy(Self.isAllowedInTarget), let url = URL(string: base + target) else {
            return nil
        }
        var headers = headers.withoutConnectionFields
        for field in headers where Self.describesClient(field.name) { headers[field.name] = nil }
        for name in [HTTPField.Name.contentLength, .expect, .host].compactMap({ $0 }) { headers[name] = nil }
        headers.append(HTTPField(name: .via, value: "1.1 \(Self.pseudonym)"))
        var message = RequestMessage(method: method, url: url, headers: headers, body: body)
        message.requestTarget = path + target
        return message
    }

    /// Returns whether a byte may be in a target: no control character, no space, and no fragment, which is not sent.
    private static func isAllowedInTarget(_ byte: UInt8) -> Bool { byte > UInt8(ascii: " ") && byte != 0x7F && byte != UInt8(ascii: "#") }

    /// Returns whether a field claims something about a client that only a proxy can know (RFC 7239). The origin would trust this proxy, which has
    /// not verified it.
    private static func describesClient(_ name: HTTPField.Name) -> Bool {
        name.canonicalName == "forwarded" || name.canonicalName == "x-real-ip" || name.canonicalName.hasPrefix("x-forwarded-")
    }

    /// Returns the head of an interim response to forward.
    static func interimHead(_ head: ResponseHead) -> HTTPResponse {
        HTTPResponse(status: head.status, headerFields: head.headers.withoutConnectionFields)
    }

    /// Returns the head of a response to forward.
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
