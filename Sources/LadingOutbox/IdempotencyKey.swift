import HTTPFieldValues

/// The key of a write, by which a server that receives it twice acts once (draft-ietf-httpapi-idempotency-key-header-07, §2).
public struct IdempotencyKey: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The maximum length, in characters.
    package static let lengthLimit = IdempotencyKeyField.lengthLimit

    public let rawValue: String

    /// Creates a key; nil unless the text has 1 to 255 visible ASCII characters, none of them a quote or a backslash.
    public init?(rawValue: String) {
        guard IdempotencyKeyField.isKey(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// The value of `Idempotency-Key`: a string of a structured field (RFC 9651 §3.3.3).
    package var fieldValue: String { IdempotencyKeyField.value(of: rawValue) }

    public var description: String { rawValue }
}
