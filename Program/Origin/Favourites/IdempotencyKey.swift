import HTTPTypes

/// An identifier that makes a request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07, §2).
struct IdempotencyKey: Hashable, Sendable {
    /// The maximum number of characters.
    static let maximumLength = 255

    let text: String

    /// Parses `Idempotency-Key`, a string of a structured field (RFC 9651 §3.3.3). Keys without quotes, as many clients send them, are accepted too.
    init(_ headers: HTTPFields) throws(IdempotencyProblem) {
        guard let field = headers[.idempotencyKey] else { throw .missing }
        let inner = field.count >= 2 && field.hasPrefix("\"") && field.hasSuffix("\"") ? field.dropFirst().dropLast() : field[...]
        let isKey = inner.utf8.allSatisfy { (0x21...0x7E).contains($0) && ![UInt8(ascii: "\""), UInt8(ascii: "\\")].contains($0) }
        guard isKey, (1...Self.maximumLength).contains(inner.utf8.count) else { throw .malformed }
        text = String(inner)
    }
}

extension HTTPField.Name {
    static let idempotencyKey = Self("Idempotency-Key")!
}
