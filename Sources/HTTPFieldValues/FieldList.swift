package import HTTPTypes

/// A parser of lists in header fields: members between commas, which may contain quoted strings (RFC 9110 §5.6.1).
package enum FieldList {
    /// Returns the members without surrounding white space and without empty ones. A separator in a quoted string is part of it.
    ///
    /// - Parameters:
    ///   - separator: An ASCII character.
    ///   - hasEscapes: Whether a backslash in a quoted string escapes the next character; false for entity tags.
    package static func members(
        _ text: some StringProtocol, separator: Unicode.Scalar = ",", hasEscapes: Bool = true
    ) -> [Substring] {
        let separator = UInt8(ascii: separator)
        var members: [Substring] = []
        var isQuoted = false
        var isEscaped = false
        // By bytes: an accent makes a quotation mark or a comma another character.
        let bytes = Substring(text).utf8
        var start = bytes.startIndex
        for index in bytes.indices {
            switch bytes[index] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted && hasEscapes: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case separator where !isQuoted:
                members.append(trimmed(Substring(bytes[start..<index])))
                start = bytes.index(after: index)
            default: break
            }
        }
        members.append(trimmed(Substring(bytes[start...])))
        return members.filter { !$0.isEmpty }
    }

    /// Returns the part of a value before its parameters, without surrounding white space.
    static func withoutParameters(_ text: some StringProtocol) -> Substring {
        // By bytes: an accent makes a semicolon another character.
        trimmed(Substring(Substring(text).utf8.prefix { $0 != UInt8(ascii: ";") }))
    }

    static func trimmed(_ text: Substring) -> Substring {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var bytes = text.utf8.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return Substring(bytes)
    }

    /// Returns the content of a quoted string, and any other text unchanged; nil when a quote is not closed.
    package static func withoutQuotes(_ text: Substring) -> String? {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "\"") else { return String(text) }
        guard bytes.count >= 2, bytes.last == UInt8(ascii: "\"") else { return nil }
        var content: [UInt8] = []
        var isEscaped = false
        for byte in bytes.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                content.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: content, as: UTF8.self)
    }
}

extension HTTPFields {
    /// Returns the members of a list, which may span several fields.
    package func members(of name: HTTPField.Name) -> [Substring] {
        self[values: name].flatMap { FieldList.members($0) }
    }
}

extension StringProtocol {
    /// Whether a value contains U+FFFD, which replaces bytes outside of UTF-8, so that it may stand for different values.
    package var hasReplacedBytes: Bool { unicodeScalars.contains("\u{FFFD}") }
}

/// A parser of the numbers of seconds in cache fields (RFC 9111 §1.2.2).
package enum DeltaSeconds {
    /// The maximum number of seconds, to which larger ones are clamped.
    package static let maximum = 1 << 31

    /// Parses a number of digits only; nil for any other text.
    package static func parse(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int(text) ?? maximum, maximum)
    }
}
