import NIOCore

/// A strong validator computed from the bytes of a representation (RFC 9110 §8.8.3).
///
/// 64-bit FNV-1a and the length: it distinguishes versions of one document, but does not resist forgery.
struct EntityTag: Hashable, Sendable {
    /// The tag with its quotes, as in a header field.
    let text: String

    /// Creates a tag from existing text, quotes included.
    init(text: String) {
        self.text = text
    }

    init(of bytes: ByteBuffer) {
        let hash = bytes.withUnsafeReadableBytes { bytes in
            bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        text = "\"\(String(hash, radix: 16))-\(String(bytes.readableBytes, radix: 16))\""
    }

    /// Whether a field contains this tag: `*`, or a list of tags.
    ///
    /// - Parameter strongly: Whether weak tags are ignored, as in `If-Match` (RFC 9110 §13.1.1). `If-None-Match` compares weakly.
    func matches(anyIn field: String, strongly: Bool = false) -> Bool {
        var rest = field.trimming(while: Self.isSeparator)
        if rest == "*" { return true }
        while let tag = Self.nextTag(in: &rest) {
            if tag.text == text, !(strongly && tag.isWeak) { return true }
        }
        return false
    }

    /// Removes the first opaque tag and returns it with its quotes, without `W/`; nil when it is malformed or missing.
    private static func nextTag(in rest: inout Substring) -> (text: Substring, isWeak: Bool)? {
        rest = rest.drop(while: isSeparator)
        let isWeak = rest.hasPrefix("W/")
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return (rest[...end], isWeak)
    }

    /// Whether a character separates tags. Within the quotes of a tag these are ordinary characters.
    private static func isSeparator(_ character: Character) -> Bool {
        character == "," || character == " " || character == "\t"
    }
}

extension String {
    fileprivate func trimming(while predicate: (Character) -> Bool) -> Substring {
        var trimmed = drop(while: predicate)
        while let last = trimmed.last, predicate(last) { trimmed.removeLast() }
        return trimmed
    }
}
