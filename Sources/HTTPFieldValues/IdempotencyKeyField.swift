package import HTTPTypes

/// The syntax of `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07, §2), a string of a structured field (RFC 9651 §3.3.3).
package enum IdempotencyKeyField {
    /// The maximum length of a key, in characters.
    package static let lengthLimit = 255

    /// Whether a text has 1 to 255 visible ASCII characters, none of them a quote or a backslash.
    package static func isKey(_ text: some StringProtocol) -> Bool {
        let isVisible = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isVisible && (1...lengthLimit).contains(text.utf8.count)
    }

    /// Returns the value of the field for a key.
    package static func value(of key: String) -> String { "\"\(key)\"" }

    /// Returns the key in a field, which many clients send without quotes; nil for any other text. Parameters of a quoted key are ignored.
    package static func key(in field: String) -> String? {
        guard field.hasPrefix("\"") else { return isKey(field) ? field : nil }
        // A key contains no quote, so the next one closes it.
        let parts = field.dropFirst().split(separator: "\"", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].isEmpty || parts[1].hasPrefix(";"), isKey(parts[0]) else { return nil }
        return String(parts[0])
    }
}

extension HTTPField.Name {
    /// The field that identifies a request, so that a server which receives it twice acts once.
    package static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
