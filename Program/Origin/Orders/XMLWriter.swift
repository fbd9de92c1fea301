/// A writer of indented XML 1.0, one element per line, in the layout of the original service.
struct XMLWriter {
    private(set) var text: String
    private var depth = 0

    /// Creates a writer.
    ///
    /// - Parameter prologue: The text before the root element, with a line break after each line.
    init(prologue: String = "") {
        text = prologue
    }

    /// Writes an element with text, which may contain any character.
    mutating func element(_ name: StaticString, _ value: String) {
        indent()
        text += "<\(name)>"
        text += Self.escaped(value)
        text += "</\(name)>\n"
    }

    /// Writes an element with child elements.
    ///
    /// - Parameter attributes: The attributes, written unescaped.
    mutating func element(_ name: StaticString, attributes: String = "", content: (inout XMLWriter) -> Void) {
        indent()
        text += "<\(name)\(attributes)>\n"
        depth += 1
        content(&self)
        depth -= 1
        indent()
        text += "</\(name)>\n"
    }

    private mutating func indent() {
        for _ in 0..<depth { text += "\t" }
    }
}

extension XMLWriter {
    /// Escapes markup (XML 1.0 §2.4) and replaces characters that XML forbids (§2.2).
    static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { needsEscaping($0) }) else { return value }
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Whether a byte may belong to a character that needs escaping; 0xEF begins U+FFFE and U+FFFF.
    private static func needsEscaping(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0xEF, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): true
        default: false
        }
    }
}
