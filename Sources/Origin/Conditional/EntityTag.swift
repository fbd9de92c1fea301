import NIOCore

/// A strong validator made from the bytes it stands for (RFC 9110 §8.8.3).
///
/// FNV-1a with 64 bits and the length: it tells versions of one document apart, and does not resist forgery.
struct EntityTag: Hashable, Sendable {
    /// With its quotes, as it goes into a header.
    let text: String

    /// A tag that was made otherwise.
    init(text: String) {
        self.text = text
    }

    init(of bytes: ByteBuffer) {
        let hash = bytes.withUnsafeReadableBytes { bytes in
            bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        text = "\"\(String(hash, radix: 16))-\(String(bytes.readableBytes, radix: 16))\""
    }

    /// Whether a field names this tag: `*`, or a list of tags.
    ///
    /// - Parameter strongly: Whether weak tags count for nothing, as in `If-Match` (RFC 9110 §13.1.1); in `If-None-Match` they count.
    func matches(anyIn field: String, strongly: Bool = false) -> Bool {
        var rest = field.trimming(while: Self.isSeparator)
        if rest == "*" { return true }
        while let tag = Self.nextTag(in: &rest) {
            if tag.text == text, !(strongly && tag.isWeak) { return true }
        }
        return false
    }

    /// Takes the opaque tag at the front, quotes included and `W/` left out; nil when there is no well-formed one.
    private static func nextTag(in rest: inout Substring) -> (text: Substring, isWeak: Bool)? {
        rest = rest.drop(while: isSeparator)
        let isWeak = rest.hasPrefix("W/")
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return (rest[...end], isWeak)
    }

    /// What stands between tags; inside the quotes of a tag these are ordinary characters.
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
