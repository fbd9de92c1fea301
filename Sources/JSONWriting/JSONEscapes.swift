/// The form of line feeds, carriage returns and tabs in JSON strings (RFC 8259 §7). Other control characters are always written as `\u` and four digits.
package enum JSONEscapes: Sendable {
    /// Such as `\n`.
    case short
    /// Such as `\u000a`.
    case unicode
}

extension JSONEscapes {
    /// Appends the content of a string, without its quotes.
    func append(_ text: String, to bytes: inout [UInt8]) {
        guard text.utf8.contains(where: \.isEscapedInJSON) else {
            bytes += text.utf8
            return
        }
        for byte in text.utf8 {
            if byte.isEscapedInJSON { append(escaped: byte, to: &bytes) } else { bytes.append(byte) }
        }
    }

    private func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n") where self == .short: bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r") where self == .short: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t") where self == .short: bytes.append(UInt8(ascii: "t"))
        case 0..<0x10: bytes += "u000\(String(byte, radix: 16))".utf8
        case 0x10..<0x20: bytes += "u00\(String(byte, radix: 16))".utf8
        default: bytes.append(byte)
        }
    }
}

extension String {
    /// Returns the text as a JSON string, with its quotes.
    package func jsonString(_ escapes: JSONEscapes) -> String {
        var bytes = [UInt8(ascii: "\"")]
        escapes.append(self, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether a JSON string must not contain the byte itself.
    package var isEscapedInJSON: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
