import Foundation

/// The conversion of documents to UTF-8 with validation of every character (XML 1.0 §2.2, §4.3.3).
///
/// The encoding is determined by the byte order mark, else the zero bytes of UTF-16, else the XML declaration, else the charset of the
/// response's `Content-Type` if it is supported, else UTF-8. Invalid bytes, and characters that XML does not allow, are an error.
enum DocumentEncoding {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns the document in UTF-8. A UTF-8 byte order mark is preserved.
    ///
    /// - Parameter charset: The encoding named by the response.
    static func utf8(_ document: [UInt8], charset: String? = nil) throws(OrderDocumentError) -> [UInt8] {
        let text = try transcoded(document, charset)
        if let offset = offsetOfIllegalCharacter(in: text) {
            throw .malformed("line \(text.line(at: offset)), invalid text encoding")
        }
        return text
    }

    private static func transcoded(_ document: [UInt8], _ charset: String?) throws(OrderDocumentError) -> [UInt8] {
        switch Array(document.prefix(4)) {
        case [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0, 0, 0, 0x3C], [0x3C, 0, 0, 0]: throw .unsupportedEncoding("UTF-32")
        case let head where head.starts(with: [0xFE, 0xFF]): return try utf16(document.dropFirst(2), isBigEndian: true)
        case let head where head.starts(with: [0xFF, 0xFE]): return try utf16(document.dropFirst(2), isBigEndian: false)
        case let head where head.starts(with: [0, 0x3C]): return try utf16(document[...], isBigEndian: true)
        case let head where head.starts(with: [0x3C, 0]): return try utf16(document[...], isBigEndian: false)
        case let head where head.starts(with: byteOrderMark): return document
        default: return try declared(document, charset)
        }
    }

    /// Returns the document converted from its declared encoding. A declaration of UTF-16 in a document of single bytes is ignored.
    private static func declared(_ document: [UInt8], _ charset: String?) throws(OrderDocumentError) -> [UInt8] {
        let declared = declaredName(document)
        guard let name = declared ?? charset else { return document }
        switch name.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be": return document
        case "iso-8859-1", "iso8859-1", "latin1", "latin-1": return try eightBit(document, .isoLatin1)
        case "windows-1252", "cp1252": return try eightBit(document, .windowsCP1252)
        default:
            // Servers may send one charset for all their files, so an unknown one does not reject a document in UTF-8.
            guard declared != nil else { return document }
            throw .unsupportedEncoding(name)
        }
    }

    /// Returns the value of `encoding` in the XML declaration.
    private static func declaredName(_ document: [UInt8]) -> String? {
        guard document.starts(with: "<?xml".utf8) else { return nil }
        let text = String(decoding: document.prefix(400), as: UTF8.self)
        guard let end = text.range(of: "?>"), let start = text[..<end.lowerBound].range(of: "encoding") else { return nil }
        let value = text[start.upperBound..<end.lowerBound].drop { $0 == "=" || $0.isWhitespace }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    private static func eightBit(_ document: [UInt8], _ encoding: String.Encoding) throws(OrderDocumentError) -> [UInt8] {
        guard let text = String(bytes: document, encoding: encoding) else { throw .malformed("invalid text encoding") }
        return Array(text.utf8)
    }

    private static func utf16(_ document: ArraySlice<UInt8>, isBigEndian: Bool) throws(OrderDocumentError) -> [UInt8] {
        let high = isBigEndian ? document.startIndex : document.startIndex + 1
        let low = isBigEndian ? document.startIndex + 1 : document.startIndex
        let units = stride(from: 0, to: document.count - 1, by: 2).map { UInt16(document[high + $0]) << 8 | UInt16(document[low + $0]) }
        guard document.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw .malformed("invalid UTF-16")
        }
        return Array(text.utf8)
    }
}

// MARK: - Characters

extension DocumentEncoding {
    /// Returns the offset of the first byte that does not begin a valid XML character in UTF-8.
    private static func offsetOfIllegalCharacter(in text: [UInt8]) -> Int? {
        text.withUnsafeBufferPointer { text in
            var offset = 0
            while offset < text.count {
                let length = lengthOfCharacter(at: offset, in: text)
                if length == 0 { return offset }
                offset += length
            }
            return nil
        }
    }

    /// Returns the length of the character at an offset, in bytes; 0 when it is invalid.
    private static func lengthOfCharacter(at offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        let first = text[offset]
        if first < 0x80 { return first >= 0x20 || first == 0x0A || first == 0x09 || first == 0x0D ? 1 : 0 }
        guard let (length, lowest) = sequence(startingWith: first), offset + length <= text.count else { return 0 }
        var scalar = UInt32(first) & (0x7F >> UInt32(length))
        for index in offset + 1..<offset + length {
            guard text[index] & 0xC0 == 0x80 else { return 0 }
            scalar = scalar << 6 | UInt32(text[index] & 0x3F)
        }
        // Rejects overlong forms, surrogates and the two noncharacters that XML excludes.
        return scalar >= lowest && Unicode.Scalar(scalar) != nil && scalar != 0xFFFE && scalar != 0xFFFF ? length : 0
    }

    /// Returns the length of the sequence that a first byte begins, and the lowest scalar that needs this length.
    private static func sequence(startingWith first: UInt8) -> (length: Int, lowest: UInt32)? {
        switch first {
        case 0xC2...0xDF: (2, 0x80)
        case 0xE0...0xEF: (3, 0x800)
        case 0xF0...0xF4: (4, 0x10000)
        default: nil
        }
    }
}

extension [UInt8] {
    /// Returns the number of the line that contains an offset, from 1.
    func line(at offset: Int) -> Int { 1 + self[..<offset].count { $0 == 0x0A } }
}
