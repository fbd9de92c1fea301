public import Foundation
public import HTTPTypes

/// A request body with its media type.
///
/// ```swift
/// RequestMessage(method: .post, url: url, content: try .json(order))
/// RequestMessage(method: .post, url: url, content: .form(["name": "Ada", "city": "London"]))
/// ```
public struct RequestContent: Sendable {
    package var body: RequestBody
    /// The media type, as written in `Content-Type`.
    package var type: String

    public init(_ body: RequestBody, type: String) {
        self.body = body
        self.type = type
    }

    /// Returns a value encoded as JSON.
    ///
    /// - Throws: Errors of the encoder.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) throws -> RequestContent {
        RequestContent(.bytes(try encoder.encode(value)), type: "application/json")
    }

    /// Returns names and values encoded as a form (WHATWG URL §5).
    public static func form(_ fields: URLQuery) -> RequestContent {
        RequestContent(.bytes(fields.formText.utf8), type: "application/x-www-form-urlencoded")
    }

    /// Returns text in UTF-8.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> RequestContent {
        RequestContent(.bytes(text.utf8), type: type)
    }

    /// Returns a form of several parts, which may be files.
    public static func multipart(_ form: MultipartForm) -> RequestContent { form.content }
}

extension RequestMessage {
    /// Creates a message with a body, and sets `Content-Type` to its media type.
    public init(
        method: HTTPRequest.Method, url: URL, headers: HTTPFields = [:], content: RequestContent,
        trust: URLTrust = .configured, addressPolicy: AddressPolicy = .any
    ) {
        self.init(method: method, url: url, headers: headers, body: content.body, trust: trust, addressPolicy: addressPolicy)
        self.headers[.contentType] = content.type
    }
}
