/// Writes indented XML 1.0, an element a line, the way the service's documents have always looked.
struct XMLWriter {
    private(set) var text: String
    private var depth = 0

    /// - Parameter prologue: what stands before the root element, each line ended.
    init(prologue: String = "") {
        text = prologue
    }

    /// An element with text in it; the text may hold any character.
    mutating func element(_ name: StaticString, _ value: String) {
        indent()
        text += "<\(name)>"
        text += Self.escaped(value)
        text += "</\(name)>\n"
    }

    /// An element with elements in it.
    ///
    /// - Parameter attributes: written as they are.
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
    /// Text in which no character can be taken for markup (XML 1.0 §2.4) or is forbidden (§2.2).
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

    /// Whether a byte may belong to a character that is not written as it is; 0xEF begins U+FFFE and U+FFFF.
    private static func needsEscaping(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0xEF, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): true
        default: false
        }
    }
}
