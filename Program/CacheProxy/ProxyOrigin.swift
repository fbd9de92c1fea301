import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingHTTP
import ServerSecurity

/// The origin of a proxy, and the conversion of messages between clients and the origin (RFC 9110 §7.6).
struct ProxyOrigin: Sendable {
    /// The name of the proxy in `Via`.
    static let pseudonym = "lading"

    /// The methods whose `Max-Forwards` limits the number of proxies (RFC 9110 §7.6.2).
    private static let countedMethods: Set<HTTPRequest.Method> = [.options, .trace]

    private let url: URL
    private let base: String
    /// The path of the base URL, without a trailing slash.
    private let path: String

    init(_ url: URL) {
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        self.url = url
        base = text
        path = String(text.drop { $0 != "/" }.drop { $0 == "/" }.drop { $0 != "/" })
    }

    /// Returns whether the proxy itself is the recipient of a request: its `Max-Forwards` is used up, or it concerns no path (RFC 9110 §9.3.7).
    static func isRecipient(of request: HTTPRequest) -> Bool {
        guard countedMethods.contains(request.method) else { return false }
        return maxForwards(of: request.headerFields) == 0 || request.method == .options && request.path == "*"
    }

    private static func maxForwards(of headers: HTTPFields) -> UInt64? { headers[.maxForwards].flatMap { UInt64($0) } }

    /// Returns the message for a request target, which is a path with its query and is sent unchanged; nil for any other target.
    ///
    /// - Parameter headers: The fields of the request after a `RequestHeadHandler`.
    func message(_ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields, _ body: RequestBody) -> RequestMessage? {
        // SwiftNIO omits the hyphen of this method.
        let method = method.rawValue == "MSEARCH" ? HTTPRequest.Method("M-SEARCH")! : method
        guard target.hasPrefix("/"), target.utf8.allSatisfy(Self.isAllowedInTarget), let url = URL(string: base + target) else {
            return nil
        }
        var message = RequestMessage(method: method, url: url, headers: Self.forwardedFields(headers, method), body: body)
        message.requestTarget = path + target
        return message
    }

    /// Returns the fields of a request without those of its connection and its body, and with the proxy in `Via`.
    private static func forwardedFields(_ headers: HTTPFields, _ method: HTTPRequest.Method) -> HTTPFields {
        var headers = headers
        // The other options of a request that ends its connection.
        if let options = headers[.proxyConnection] { headers.append(HTTPField(name: .connection, value: options)) }
        headers = headers.withoutConnectionFields
        for field in headers where describesClient(field.name) { headers[field.name] = nil }
        let version = headers[.requestVersion] ?? "1.1"
        for name in [HTTPField.Name.contentLength, .expect, .host, .requestVersion].compactMap({ $0 }) { headers[name] = nil }
        if countedMethods.contains(method), let count = maxForwards(of: headers), count > 0 { headers[.maxForwards] = "\(count - 1)" }
        headers.append(HTTPField(name: .via, value: "\(version) \(pseudonym)"))
        return headers
    }

    /// Returns whether a byte may be in a target: no control character, no space, and no fragment, which is not sent.
    private static func isAllowedInTarget(_ byte: UInt8) -> Bool { byte > UInt8(ascii: " ") && byte != 0x7F && byte != UInt8(ascii: "#") }

    /// Returns whether a field claims something about a client that only a proxy can know (RFC 7239). The origin would trust this proxy, which has
    /// not verified it.
    private static func describesClient(_ name: HTTPField.Name) -> Bool {
        // Origins behind CGI, WSGI and their relatives read both characters as an underscore (RFC 3875 §4.1.18).
        let name = name.canonicalName.replacing("_", with: "-")
        return clientFields.contains(name) || name.hasPrefix("x-forwarded-")
    }

    /// The names of fields by which proxies describe clients, but `X-Forwarded-…`.
    private static let clientFields: Set<String> = [
        "forwarded", "x-forwarded", "x-real-ip", "client-ip", "x-client-ip", "true-client-ip", "x-cluster-client-ip", "cf-connecting-ip",
        "fastly-client-ip",
    ]

    /// Returns the head of an interim response to forward.
    static func interimHead(_ head: ResponseHead) -> HTTPResponse {
        HTTPResponse(status: head.status, headerFields: head.headers.withoutConnectionFields)
    }

    /// Returns the head of a response to forward.
    func head(_ head: ResponseHead, now: Date) -> HTTPResponse {
        var headers = head.headers.withoutConnectionFields
        for name in [HTTPField.Name.location, .contentLocation] {
            if let reference = headers[name], let path = proxyPath(of: reference) { headers[name] = path }
        }
        if headers[.date] == nil { headers[.date] = now.httpDate }
        headers.append(HTTPField(name: .via, value: "1.1 \(Self.pseudonym)"))
        return HTTPResponse(status: head.status, headerFields: headers)
    }

    /// Returns the path at the proxy for a URL, or an absolute path, below the base; nil for any other reference, which is forwarded unchanged.
    private func proxyPath(of reference: String) -> String? {
        var rest = reference.utf8[...]
        if rest.first != UInt8(ascii: "/") {
            guard let target = URL(string: reference), target.scheme?.lowercased() == url.scheme?.lowercased(),
                target.authority == url.authority
            else { return nil }
            rest = rest.drop { $0 != UInt8(ascii: "/") }.dropFirst(2).drop { !Self.authorityEnds.contains($0) }
        }
        guard rest.starts(with: path.utf8) else { return nil }
        rest = rest.dropFirst(path.utf8.count)
        guard let first = rest.first, first == UInt8(ascii: "/") else {
            return rest.first.map(Self.authorityEnds.contains) == false ? nil : "/\(Substring(rest))"
        }
        // With a second slash, the path would be the host of another server.
        return rest.dropFirst().first.map(Self.slashes.contains) == true ? nil : String(Substring(rest))
    }

    private static let authorityEnds = Array("/?#".utf8)
    /// Browsers read both as a slash.
    private static let slashes = Array(#"/\"#.utf8)
}

extension HTTPField.Name {
    static let via = Self("Via")!
    static let host = Self("Host")
    static let proxyConnection = Self("Proxy-Connection")!
}
