package import OrderStorage

extension OrderFileError {
    /// The rule that the file breaks, with its facts.
    package var rule: BrokenRule {
        switch self {
        case .unreadable: BrokenRule("unreadable-file")
        case .empty: BrokenRule("empty-file")
        case .noRows: BrokenRule("no-orders")
        case .notText(let signature): signature.rule
        case .encoding(let position): BrokenRule("encoding", at: position)
        case .utf32: BrokenRule("utf-32")
        case .nullCharacter(let position): BrokenRule("zero-character", at: position)
        case .unterminatedQuote(let opening): BrokenRule("unclosed-quote", at: opening)
        case .textAfterQuote(let position, let opening):
            BrokenRule(
                "text-after-quote", at: position, .number("openingLine", opening.line), .number("openingColumn", opening.column))
        case .tooManyFields(let position, let limit): BrokenRule("too-many-columns", at: position, .number("limit", limit))
        case .fieldTooLong(let position, let limit): BrokenRule("value-too-long", at: position, .number("limit", limit))
        case .rowTooLong(let line, let limit): BrokenRule("row-too-long", .number("line", line), .number("limit", limit))
        case .tooManyRows(let limit): BrokenRule("too-many-rows", .number("limit", limit))
        case .jsonArray: BrokenRule("json-array")
        case .missingColumns(let columns, let found):
            BrokenRule("missing-columns", .texts("missing", columns.map(\.name)), .texts("found", found))
        case .duplicateColumn(let column, let first, let second):
            BrokenRule("duplicate-column", .text("name", column.name), .text("first", first), .text("second", second))
        }
    }
}

extension BrokenRule {
    fileprivate init(_ code: String, at position: TextPosition, _ facts: Fact...) {
        self.init(code, [.number("line", position.line), .number("column", position.column)] + facts)
    }
}

extension FileSignature {
    fileprivate var rule: BrokenRule {
        switch self {
        case .zip: BrokenRule("workbook")
        case .xls: BrokenRule("old-workbook")
        case .gzip, .bzip2, .zstandard, .xz: BrokenRule("compressed-file", .text("format", rawValue))
        case .sevenZip: BrokenRule("archive-7z")
        case .rar: BrokenRule("archive-rar")
        case .pdf: BrokenRule("pdf")
        case .sqlite: BrokenRule("sqlite-database")
        case .rtf: BrokenRule("rtf")
        }
    }
}
