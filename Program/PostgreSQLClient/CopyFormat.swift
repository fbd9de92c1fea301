/// The text format of `COPY`: a line for each row, with tabs between the values.
///
/// Source: PostgreSQL, COPY, "Text Format".
enum CopyFormat {
    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// Returns the line of a row, with its newline.
    static func line(_ row: [PostgreSQLValue]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, value) in row.enumerated() {
            if index > 0 { line.append(UInt8(ascii: "\t")) }
            switch value {
            case .null: line += "\\N".utf8
            case .text(let text): append(text, to: &line)
            case .bytes(let bytes):
                line += "\\\\x".utf8
                for byte in bytes { line += [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]] }
            }
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static func append(_ text: String, to line: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): line += "\\\\".utf8
            case UInt8(ascii: "\t"): line += "\\t".utf8
            case UInt8(ascii: "\n"): line += "\\n".utf8
            case UInt8(ascii: "\r"): line += "\\r".utf8
            // PostgreSQL cannot store the character zero.
            case 0: line.append(UInt8(ascii: "?"))
            default: line.append(byte)
            }
        }
    }
}
