import Foundation

/// A look at the raw bytes of an XML document, before a parser sees them.
///
/// Zero bytes are passed over, so that ASCII reads the same in UTF-8, UTF-16 and Latin-1.
struct MarkupScan {
    /// The encoding that the document declares, when it is none of those that `declaresDocumentType` can see through.
    let foreignEncoding: String?
    let declaresDocumentType: Bool
    /// Whether it begins as markup does in those encodings: with white space and an angle bracket.
    let beginsAsMarkup: Bool

    private static let encodings: Set<String> = [
        "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "latin1", "windows-1252",
    ]

    init(_ document: [UInt8]) {
        declaresDocumentType = Self.contains("<!doctype", in: document) || Self.contains("<!entity", in: document)
        let marks: Set<UInt8> = [0, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x20, 0x09, 0x0A, 0x0D]
        beginsAsMarkup = document.first { !marks.contains($0) } == UInt8(ascii: "<")
        let declared = Self.declaredEncoding(document)
        foreignEncoding = declared.flatMap { Self.encodings.contains($0.lowercased()) ? nil : $0 }
    }

    /// The value of `encoding` in the XML declaration.
    private static func declaredEncoding(_ document: [UInt8]) -> String? {
        let head = document.prefix(400).filter { $0 != 0 }
        let text = String(decoding: head, as: UTF8.self)
        guard let end = text.range(of: "?>"), let start = text[..<end.lowerBound].range(of: "encoding") else { return nil }
        let value = text[start.upperBound..<end.lowerBound].drop { $0 == "=" || $0.isWhitespace }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    /// Whether the bytes hold this ASCII text, whatever its case, zero bytes between its letters or not.
    private static func contains(_ lowercased: StaticString, in document: [UInt8]) -> Bool {
        let pattern = UnsafeBufferPointer(start: lowercased.utf8Start, count: lowercased.utf8CodeUnitCount)
        var matched = 0
        for byte in document where byte != 0 {
            let isUppercase = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            let letter = isUppercase ? byte | 0x20 : byte
            if letter == pattern[matched] {
                matched += 1
                if matched == pattern.count { return true }
            } else {
                matched = letter == pattern[0] ? 1 : 0
            }
        }
        return false
    }
}
