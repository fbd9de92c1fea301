/// A position in a text: a line, and a character of it, both from 1.
package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    /// The number of the Unicode scalar in its line.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Creates the position behind some bytes of valid UTF-8.
    ///
    /// - Parameter line: The line on which the bytes begin, at its first character.
    init(after bytes: Span<UInt8>, from line: Int) {
        var (line, column) = (line, 1)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == .lineFeed || byte == .carriageReturn {
                // A line feed after a carriage return belongs to the same end of a line.
                if byte == .carriageReturn || index == 0 || bytes[index - 1] != .carriageReturn { line += 1 }
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(line: line, column: column)
    }

    package var description: String { "line \(line), column \(column)" }
}

extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let singleQuote = UInt8(ascii: "'")
    static let backslash = UInt8(ascii: "\\")
    static let zero = UInt8(ascii: "0")

    var isDigit: Bool { self &- .zero < 10 }

    /// Whether JSON and the values of cells ignore the byte around values.
    var isBlank: Bool { self == .space || self == .tab || self == .lineFeed || self == .carriageReturn }

    /// The lower-case form of a Latin capital of ASCII; other bytes unchanged.
    var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
