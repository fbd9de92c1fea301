package import HTTPTypes

/// A parser of lists in header fields: members between commas, which may contain quoted strings (RFC 9110 §5.6.1).
package enum FieldList {
    /// Returns the members without surrounding white space and without empty ones. A separator in a quoted string is part of it.
    ///
    /// - Parameter hasEscapes: Whether a backslash in a quoted string escapes the next character; false for entity tags.
    package static func members(_ text: some StringProtocol, separator: Character = ",", hasEscapes: Bool = true) -> [Substring] {
        var members: [Substring] = []
        var isQuoted = false
        var isEscaped = false
        let text = Substring(text)
        var start = text.startIndex
        for index in text.indices {
            switch text[index] {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted && hasEscapes: isEscaped = true
            case "\"": isQuoted.toggle()
            case separator where !isQuoted:
                members.append(trimmed(text[start..<index]))
                start = text.index(after: index)
            default: break
            }
        }
        members.append(trimmed(text[start...]))
        return members.filter { !$0.isEmpty }
    }

    static func trimmed(_ text: Substring) -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    /// Returns the content of a quoted string, and any other text unchanged; nil when a quote is not closed.
    package static func withoutQuotes(_ text: Substring) -> String? {
        guard text.first == "\"" else { return String(text) }
        guard text.count >= 2, text.last == "\"" else { return nil }
        var content = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                content.append(character)
                isEscaped = false
            }
        }
        return content
    }
}

extension HTTPFields {
    /// Returns the members of a list, which may span several fields.
    package func members(of name: HTTPField.Name) -> [Substring] {
        self[values: name].flatMap { FieldList.members($0) }
    }
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
