/// The escape of cells that a spreadsheet would evaluate as formulas (OWASP, "CSV Injection"): an apostrophe before them.
///
/// Cells with `=`, `+`, `-`, `@`, tab, CR or LF at their beginning, or a fullwidth form, are escaped unless they are negative numbers such
/// as `-74.05`. Cells of apostrophes and such a character are escaped, too, so that each escaped cell is the escape of exactly one text.
package enum FormulaCell {
    private static let firstBytes: [UInt8] = [0x3D, 0x2B, 0x2D, 0x40, .tab, .carriageReturn, .lineFeed]
    /// The last bytes of `＝`, `＋`, `－` and `＠`, behind EF BC.
    private static let fullwidthBytes: [UInt8] = [0x9D, 0x8B, 0x8D, 0xA0]

    /// Whether a writer must escape a value.
    package static func needsEscape(_ value: Span<UInt8>) -> Bool {
        guard let start = formulaStart(value) else { return false }
        return start > 0 || !isNegativeNumber(value)
    }

    /// Whether a cell of a file begins with the apostrophe of an escape.
    package static func isEscaped(_ cell: Span<UInt8>) -> Bool {
        guard cell.count > 1, cell[0] == .singleQuote else { return false }
        return formulaStart(cell) != nil
    }

    /// Returns the index of the formula's first character, which only apostrophes precede; nil if there is none.
    private static func formulaStart(_ value: Span<UInt8>) -> Int? {
        var index = 0
        while index < value.count, value[index] == .singleQuote { index += 1 }
        guard index < value.count else { return nil }
        if firstBytes.contains(value[index]) { return index }
        guard index + 2 < value.count, value[index] == 0xEF, value[index + 1] == 0xBC else { return nil }
        return fullwidthBytes.contains(value[index + 2]) ? index : nil
    }

    private static func isNegativeNumber(_ value: Span<UInt8>) -> Bool {
        value[0] == UInt8(ascii: "-") && DecimalNumber(value) != nil
    }
}
