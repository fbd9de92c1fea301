/// A one-pass writer of JSON (RFC 8259), without intermediate values.
struct JSONWriter {
    private var bytes: [UInt8] = []
    /// Whether a comma must precede the next value.
    private var needsComma = false

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func object(_ write: (inout JSONWriter) -> Void) {
        openContainer(UInt8(ascii: "{"))
        write(&self)
        closeContainer(UInt8(ascii: "}"))
    }

    mutating func array<Element>(_ elements: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        openContainer(UInt8(ascii: "["))
        for element in elements { write(element, &self) }
        closeContainer(UInt8(ascii: "]"))
    }

    /// Writes a key.
    ///
    /// - Parameter key: A key without characters that JSON escapes.
    mutating func key(_ key: StaticString) {
        writeCommaIfNeeded()
        bytes.append(UInt8(ascii: "\""))
        bytes += UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func field(_ key: StaticString, _ text: String?) {
        self.key(key)
        if let text { string(text) } else { literal("null") }
    }

    /// Writes a field with a number.
    ///
    /// - Parameter number: A finite number whose description is valid JSON.
    mutating func field(_ key: StaticString, number: (some CustomStringConvertible)?) {
        self.key(key)
        literal(number?.description ?? "null")
    }

    mutating func field(_ key: StaticString, flag: Bool) {
        self.key(key)
        literal(flag ? "true" : "false")
    }

    mutating func string(_ text: String) {
        writeCommaIfNeeded()
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: \.isEscapedInJSON) {
            for byte in text.utf8 { if byte.isEscapedInJSON { escape(byte) } else { bytes.append(byte) } }
        } else {
            bytes += text.utf8
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"): bytes += "\\n".utf8
        case UInt8(ascii: "\r"): bytes += "\\r".utf8
        case UInt8(ascii: "\t"): bytes += "\\t".utf8
        case 0..<0x10: bytes += "\\u000\(String(byte, radix: 16))".utf8
        case 0x10..<0x20: bytes += "\\u00\(String(byte, radix: 16))".utf8
        default: bytes += [UInt8(ascii: "\\"), byte]
        }
    }

    private mutating func literal(_ text: String) {
        writeCommaIfNeeded()
        bytes += text.utf8
        needsComma = true
    }

    private mutating func writeCommaIfNeeded() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func openContainer(_ bracket: UInt8) {
        writeCommaIfNeeded()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func closeContainer(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}

extension UInt8 {
    fileprivate var isEscapedInJSON: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
