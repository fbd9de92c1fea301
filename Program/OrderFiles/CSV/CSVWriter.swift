/// A writer of CSV (RFC 4180) in UTF-8 whose cells are harmless to spreadsheets.
package struct CSVWriter: Sendable {
    /// The byte order mark by which Excel detects UTF-8.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let delimiter: CSVDelimiter
    /// The complete rows and the current one.
    package private(set) var bytes: [UInt8] = []
    private var isAtRowStart = true

    package init(delimiter: CSVDelimiter = .comma) {
        self.delimiter = delimiter
    }

    /// Writes a cell. Formulas are escaped as `FormulaCell` says. An empty text has quotes, a missing one has none.
    package mutating func field(_ text: String?) {
        guard var text else { return writeDelimiterIfNeeded() }
        text.withUTF8 { write($0.span) }
    }

    package mutating func endRow() {
        bytes += [.carriageReturn, .lineFeed]
        isAtRowStart = true
    }

    /// Writes bytes as they are.
    mutating func raw(_ bytes: [UInt8]) {
        writeDelimiterIfNeeded()
        self.bytes += bytes
    }

    private mutating func write(_ value: Span<UInt8>) {
        writeDelimiterIfNeeded()
        let needsEscape = FormulaCell.needsEscape(value)
        guard needsQuotes(value) else {
            if needsEscape { bytes.append(.singleQuote) }
            bytes.append(contentsOf: value, from: 0)
            return
        }
        bytes.append(.quote)
        if needsEscape { bytes.append(.singleQuote) }
        for index in value.indices {
            if value[index] == .quote { bytes.append(.quote) }
            bytes.append(value[index])
        }
        bytes.append(.quote)
    }

    private mutating func writeDelimiterIfNeeded() {
        if !isAtRowStart { bytes.append(delimiter.rawValue) }
        isAtRowStart = false
    }

    /// Whether a value contains a special character, or space at an end, which some readers remove.
    private func needsQuotes(_ value: Span<UInt8>) -> Bool {
        guard value.count > 0 else { return true }
        if value[0].isBlank || value[value.count - 1].isBlank { return true }
        for index in value.indices {
            switch value[index] {
            case .quote, .lineFeed, .carriageReturn, delimiter.rawValue: return true
            default: continue
            }
        }
        return false
    }
}
