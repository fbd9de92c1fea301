extension [UInt8] {
    /// The JSON document with `\ufffd` in place of each escape of an unpaired surrogate, in the same length.
    ///
    /// JSON permits such escapes (RFC 8259 §8.2), and servers write them when they truncate a text within an emoji, but decoders reject the whole
    /// text. Documents in UTF-16 and UTF-32 are not changed.
    package var replacingUnpairedSurrogates: [UInt8] {
        guard !prefix(4).contains(0) else { return self }
        var document = self
        var start = 0
        while let backslash = self[start...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let unit = surrogate(escapedAt: backslash) else {
                start = Swift.min(backslash + 2, count)
                continue
            }
            start = backslash + Self.escapeLength
            if UTF16.isLeadSurrogate(unit), let next = surrogate(escapedAt: start), UTF16.isTrailSurrogate(next) {
                start += Self.escapeLength
            } else {
                document.replaceSubrange(backslash..<start, with: #"\ufffd"#.utf8)
            }
        }
        return document
    }

    /// The length of `\u` and four digits.
    private static var escapeLength: Int { 6 }

    /// Returns the surrogate of an escape such as `\ud83d`; nil when there is none at the index.
    private func surrogate(escapedAt index: Int) -> UInt16? {
        guard index + Self.escapeLength <= count, self[index...].starts(with: #"\u"#.utf8) else { return nil }
        let digits = self[index + 2..<index + Self.escapeLength]
        guard digits.first == UInt8(ascii: "d") || digits.first == UInt8(ascii: "D"),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16), UTF16.isSurrogate(unit)
        else { return nil }
        return unit
    }
}
