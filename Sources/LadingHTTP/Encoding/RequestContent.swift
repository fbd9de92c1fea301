public import Foundation
public import HTTPTypes

/// A body together with what it is.
///
/// ```swift
/// RequestMessage(method: .post, url: url, content: try .json(order))
/// RequestMessage(method: .post, url: url, content: .form(["name": "Ada", "city": "London"]))
/// ```
public struct RequestContent: Sendable {
    public var body: RequestBody
    /// Its media type, as it stands in `Content-Type`.
    public var type: String

    public init(_ body: RequestBody, type: String) {
        self.body = body
        self.type = type
    }

    /// A value as JSON.
    ///
    /// - Throws: What the encoder throws.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) throws -> RequestContent {
        RequestContent(.bytes(try encoder.encode(value)), type: "application/json")
    }

    /// Names and values as a form (WHATWG URL §5).
    public static func form(_ fields: URLQuery) -> RequestContent {
        RequestContent(.bytes(fields.formText.utf8), type: "application/x-www-form-urlencoded")
    }

    /// Text in UTF-8.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> RequestContent {
        RequestContent(.bytes(text.utf8), type: type)
    }

    /// A form of several parts, which may be files.
    public static func multipart(_ form: MultipartForm) -> RequestContent { form.content }
}

extension RequestMessage {
    /// A message that carries something; its type is told in `Content-Type`.
    public init(
        method: HTTPRequest.Method, url: URL, headers: HTTPFields = [:], content: RequestContent,
        trust: URLTrust = .configured, addressPolicy: AddressPolicy = .any
    ) {
        self.init(method: method, url: url, headers: headers, body: content.body, trust: trust, addressPolicy: addressPolicy)
        self.headers[.contentType] = content.type
    }
}
