import HTTPFieldValues
public import HTTPTypes

/// The header fields and the body of a response with a status other than 200–299.
///
/// The text in it is the server's: descriptions of errors, and with them traces and journals, contain none of it.
public struct ErrorResponse: Sendable {
    /// The maximum number of bytes of the body that are read.
    public static let bodyLimit = 16 << 10

    public var headers: HTTPFields
    /// The beginning of the body, after content codings are decoded; empty if `RequestMessage.containsSecrets` is set.
    public var body: [UInt8]
    /// Whether the body was longer than the limit, and the rest of it was not read.
    public var isTruncated: Bool

    public init(headers: HTTPFields = [:], body: [UInt8] = [], isTruncated: Bool = false) {
        self.headers = headers
        self.body = body
        self.isTruncated = isTruncated
    }

    /// The problem that the body describes; nil unless it is a complete document of the type `application/problem+json` (RFC 9457 §3).
    public var problem: ProblemDetails? {
        guard !isTruncated, headers.mediaType == "application/problem+json" else { return nil }
        return ProblemDetails(json: body)
    }
}
