import Mustache

/// Escapes texts for elements and quoted attributes of HTML.
///
/// Mustache's own escaping replaces characters, which an accent changes: a quotation mark with one is another character, and ends an attribute in a
/// browser all the same. It also copies every text, though few have anything to escape.
struct HTMLEscaping: MustacheContentType {
    /// The name under which templates select it.
    static let name = "ESCAPED_HTML"

    func escapeText(_ text: String) -> String {
        guard text.utf8.contains(where: { Self.entity(of: $0) != nil }) else { return text }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if let entity = Self.entity(of: byte) { escaped += entity.utf8 } else { escaped.append(byte) }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func entity(of byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
