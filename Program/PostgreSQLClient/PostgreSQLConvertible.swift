/// A value that can be passed to a statement and read from a row.
package protocol PostgreSQLConvertible: Sendable {
    var postgreSQLValue: PostgreSQLValue { get }

    /// Parses the text format of the server; nil for another format.
    init?(postgreSQLText text: String)
}

/// A value of a statement.
package enum PostgreSQLValue: Hashable, Sendable {
    case null
    /// The text format, which the server converts to the type that it infers.
    case text(String)
    /// A value of the type `bytea`.
    case bytes([UInt8])
}

extension String: PostgreSQLConvertible {
    package var postgreSQLValue: PostgreSQLValue { .text(self) }
    package init?(postgreSQLText text: String) { self = text }
}

extension PostgreSQLConvertible where Self: LosslessStringConvertible {
    package var postgreSQLValue: PostgreSQLValue { .text(description) }
    package init?(postgreSQLText text: String) { self.init(text) }
}

extension Int: PostgreSQLConvertible {}
extension Int64: PostgreSQLConvertible {}
extension Double: PostgreSQLConvertible {}

extension Bool: PostgreSQLConvertible {
    package init?(postgreSQLText text: String) {
        guard text == "t" || text == "f" else { return nil }
        self = text == "t"
    }
}

extension [UInt8]: PostgreSQLConvertible {
    package var postgreSQLValue: PostgreSQLValue { .bytes(self) }

    /// Parses the format `\x0102`.
    package init?(postgreSQLText text: String) {
        guard text.hasPrefix("\\x"), text.utf8.count.isMultiple(of: 2) else { return nil }
        self = []
        reserveCapacity(text.utf8.count / 2 - 1)
        var high: UInt8?
        for digit in text.utf8.dropFirst(2) {
            guard let value = Self.value(ofHexDigit: digit) else { return nil }
            if let first = high.take() { append(first << 4 | value) } else { high = value }
        }
    }

    private static func value(ofHexDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension PostgreSQLValue {
    /// An array of texts, for a parameter that the statement casts to `text[]`, `bigint[]` or another type of array.
    package static func array(_ elements: [String?]) -> PostgreSQLValue {
        .text("{\(elements.map { $0.map(quoted) ?? "NULL" }.joined(separator: ","))}")
    }

    /// Returns an element of an array in quotation marks (PostgreSQL, 8.15.6). It is escaped by scalars, because an accent makes a quotation mark another
    /// character.
    private static func quoted(_ element: String) -> String {
        var quoted = "\"".unicodeScalars
        for scalar in element.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }
}
