/// A one-pass writer of JSON (RFC 8259) with members in the order of the calls: equal values produce equal bytes.
struct JSONWriter {
    private(set) var text = ""
    /// Whether a comma must precede the next value.
    private var needsComma = false

    mutating func array<Element>(_ elements: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        writeContainer("[", "]") { json in
            for element in elements { write(element, &json) }
        }
    }

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        writeContainer("{", "}", members)
    }

    mutating func member(_ name: StaticString, object members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        literal("\"\(Self.escaped(value))\"")
    }

    mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        literal(value ? "true" : "false")
    }

    mutating func member(_ name: StaticString, _ value: Int) {
        key(name)
        literal(String(value))
    }

    /// Writes a number.
    ///
    /// - Parameter value: A finite number, written with as many digits as distinguish it from its neighbours.
    mutating func member(_ name: StaticString, _ value: Double) {
        key(name)
        literal(String(value))
    }

    mutating func member(_ name: StaticString, _ values: [String]) {
        member(name, array: values) { value, json in json.literal("\"\(Self.escaped(value))\"") }
    }

    mutating func member<Element>(_ name: StaticString, array elements: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        key(name)
        array(elements, write)
    }

    mutating func nullMember(_ name: StaticString) {
        key(name)
        literal("null")
    }

    /// Writes the name of a member.
    ///
    /// - Parameter name: A name without characters that JSON escapes.
    private mutating func key(_ name: StaticString) {
        literal("\"\(name)\":")
        needsComma = false
    }

    private mutating func literal(_ text: String) {
        if needsComma { self.text += "," }
        self.text += text
        needsComma = true
    }

    private mutating func writeContainer(_ start: String, _ end: String, _ content: (inout JSONWriter) -> Void) {
        literal(start)
        needsComma = false
        content(&self)
        text += end
        needsComma = true
    }

    /// Escapes the characters that a string must not contain (§7).
    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else { return value }
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": escaped += "\\\(scalar)"
            case "\u{0}"..."\u{F}": escaped += "\\u000\(String(scalar.value, radix: 16))"
            case "\u{10}"..."\u{1F}": escaped += "\\u00\(String(scalar.value, radix: 16))"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
