import Foundation

/// A reader of OpenStep property lists, `{ 1 = "http://…"; }`, that are flat dictionaries of strings.
struct OldStylePropertyList {
    /// The maximum depth of nested collections.
    private static let depthLimit = 64

    private let bytes: [UInt8]
    private var position = 0

    init(_ document: [UInt8], charset: String? = nil) throws(OrderDocumentError) {
        bytes = try DocumentEncoding.utf8(document, charset: charset)
        if bytes.starts(with: DocumentEncoding.byteOrderMark) { position = 3 }
    }

    /// Returns the entries. Text in braces without an entry of this notation, such as JSON, is no property list.
    consuming func entries(limit: Int) throws(OrderDocumentError) -> ListEntries {
        var entries = ListEntries(limit: limit)
        guard try nextByte() == UInt8(ascii: "{") else { throw .notADictionary }
        position += 1
        while try nextByte() != UInt8(ascii: "}") {
            guard let key = try text(), try skip("=") else { throw entries.all.isEmpty ? .notADictionary : syntaxError("a key is missing") }
            try entries.append(key, try value())
            guard try skip(";") else { throw entries.all.count == 1 ? .notADictionary : syntaxError("a semicolon is missing") }
        }
        position += 1
        guard try nextByte() == nil else { throw syntaxError("unexpected content after the dictionary") }
        return entries
    }

    private mutating func value() throws(OrderDocumentError) -> ListEntry.Value {
        switch try nextByte() {
        case UInt8(ascii: ";"): return .missing
        case UInt8(ascii: "{"): try skipNested(); return .other("dict")
        case UInt8(ascii: "("): try skipNested(); return .other("array")
        case UInt8(ascii: "<"): try skipNested(); return .other("data")
        default:
            guard let text = try text() else { throw syntaxError("a value is missing") }
            return .text(text)
        }
    }

    /// Skips a nested value in brackets.
    private mutating func skipNested() throws(OrderDocumentError) {
        var closing: [UInt8] = []
        repeat {
            guard closing.count < Self.depthLimit else { throw .tooManyLevels(limit: Self.depthLimit) }
            switch try nextByte() {
            case nil: throw syntaxError("unterminated brackets")
            case UInt8(ascii: "{"): closing.append(UInt8(ascii: "}"))
            case UInt8(ascii: "("): closing.append(UInt8(ascii: ")"))
            case UInt8(ascii: "<"): closing.append(UInt8(ascii: ">"))
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = try quoted()
                continue
            case let byte where byte == closing.last: closing.removeLast()
            default: break
            }
            position += 1
        } while !closing.isEmpty
    }

    private mutating func skip(_ character: Character) throws(OrderDocumentError) -> Bool {
        guard try nextByte() == character.asciiValue else { return false }
        position += 1
        return true
    }

    private func syntaxError(_ reason: String) -> OrderDocumentError {
        .malformed("line \(bytes.line(at: min(position, bytes.count))), \(position < bytes.count ? reason : "unexpected end")")
    }
}

// MARK: - Texts and comments

extension OldStylePropertyList {
    /// Returns a quoted or bare text; nil when there is none.
    private mutating func text() throws(OrderDocumentError) -> String? {
        let first = try nextByte()
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted() }
        let start = position
        while position < bytes.count, bytes[position].isPartOfBareText { position += 1 }
        return position == start ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted() throws(OrderDocumentError) -> String {
        let quote = bytes[position]
        var text: [UInt8] = []
        position += 1
        while position < bytes.count, bytes[position] != quote {
            if bytes[position] == UInt8(ascii: "\\") {
                text += try escape().utf8
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        guard position < bytes.count else { throw syntaxError("unterminated quotes") }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the text of an escape sequence: of code units, of up to three octal digits in the encoding of NeXTSTEP, or the escaped character.
    private mutating func escape() throws(OrderDocumentError) -> String {
        let escaped = bytes[position...].dropFirst()
        guard escaped.first != UInt8(ascii: "U") else { return try codeUnits() }
        let octalDigits = escaped.prefix(3).prefix { UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }
        if let code = UInt16(String(decoding: octalDigits, as: UTF8.self), radix: 8) {
            position = octalDigits.endIndex
            return String(bytes: [UInt8(truncatingIfNeeded: code)], encoding: .nextstep) ?? "\u{FFFD}"
        }
        position = escaped.prefix(1).endIndex
        let text = String(decoding: escaped.prefix(1), as: UTF8.self)
        return ["n": "\n", "t": "\t", "r": "\r"][text] ?? text
    }

    /// Returns the text of consecutive UTF-16 code units, each of four hexadecimal digits after `\U`; two of them may be a surrogate pair.
    private mutating func codeUnits() throws(OrderDocumentError) -> String {
        var units: [UInt16] = []
        while bytes[position...].starts(with: #"\U"#.utf8) {
            let digits = bytes[position...].dropFirst(2).prefix(4)
            position = digits.endIndex
            guard let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else { throw syntaxError("invalid escape") }
            units.append(unit)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns the next byte that is neither white space nor part of a comment, without consuming it; nil at the end.
    private mutating func nextByte() throws(OrderDocumentError) -> UInt8? {
        while position < bytes.count {
            if bytes[position...].starts(with: "//".utf8) {
                position = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            } else if bytes[position...].starts(with: "/*".utf8) {
                try skipComment()
            } else if bytes[position].isXMLWhitespace {
                position += 1
            } else {
                return bytes[position]
            }
        }
        return nil
    }

    private mutating func skipComment() throws(OrderDocumentError) {
        position += 2
        while !bytes[position...].starts(with: "*/".utf8) {
            guard position < bytes.count else { throw syntaxError("unterminated comment") }
            position += 1
        }
        position += 2
    }
}

extension UInt8 {
    fileprivate var isPartOfBareText: Bool {
        isASCIILetter || isASCIIDigit || "_$/:.-".utf8.contains(self)
    }
}
