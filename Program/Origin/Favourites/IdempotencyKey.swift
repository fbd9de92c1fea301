import HTTPFieldValues
import HTTPTypes

/// An identifier that makes a request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07, §2).
struct IdempotencyKey: Hashable, Sendable {
    let text: String

    /// Parses `Idempotency-Key`, a string of a structured field (RFC 9651 §3.3.3). Keys without quotes, as many clients send them, are accepted too.
    init(_ headers: HTTPFields) throws(IdempotencyProblem) {
        guard let field = headers[.idempotencyKey] else { throw .missing }
        guard let key = IdempotencyKeyField.key(in: field) else { throw .malformed }
        text = key
    }
}
