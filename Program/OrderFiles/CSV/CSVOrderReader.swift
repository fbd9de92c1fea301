/// A reader of the orders of a CSV file in UTF-8.
struct CSVOrderReader: Sendable {
    private var parser: CSVParser
    private var header: CSVHeader?

    init(delimiter: CSVDelimiter?) {
        parser = CSVParser(delimiter: delimiter)
    }

    var position: TextPosition { parser.position }
    var allocatedByteCount: Int { parser.allocatedByteCount }

    var layout: OrderFileLayout? {
        header.map {
            OrderFileLayout(format: .csv, delimiter: $0.delimiter, hasDelimiterLine: parser.hasDelimiterLine, header: $0.source)
        }
    }

    mutating func read(
        _ bytes: Span<UInt8>, _ context: inout RowContext, _ receive: (OrderFileEvent) -> Void
    ) throws(OrderFileError) {
        try Self.read(bytes, &parser, &header, &context, receive)
    }

    mutating func finish(_ context: inout RowContext, _ receive: (OrderFileEvent) -> Void) throws(OrderFileError) {
        try Self.finish(&parser, &header, &context, receive)
    }

    // The closures change the header while the parser changes itself, so both are parameters.

    private static func read(
        _ bytes: Span<UInt8>, _ parser: inout CSVParser, _ header: inout CSVHeader?, _ context: inout RowContext,
        _ receive: (OrderFileEvent) -> Void
    ) throws(OrderFileError) {
        try parser.parse(bytes) { row throws(OrderFileError) in try read(row, &header, &context, receive) }
    }

    private static func finish(
        _ parser: inout CSVParser, _ header: inout CSVHeader?, _ context: inout RowContext, _ receive: (OrderFileEvent) -> Void
    ) throws(OrderFileError) {
        try parser.finish { row throws(OrderFileError) in try read(row, &header, &context, receive) }
    }

    private static func read(
        _ row: CSVRow, _ header: inout CSVHeader?, _ context: inout RowContext, _ receive: (OrderFileEvent) -> Void
    ) throws(OrderFileError) {
        // The header is row 1.
        guard row.number - 1 <= context.rowLimit else { throw .tooManyRows(limit: context.rowLimit) }
        guard !row.isBlank else { return }
        if let header {
            receive(event(of: row, header, &context))
        } else {
            header = try begin(row, &context, receive)
        }
    }

    private static func begin(
        _ row: CSVRow, _ context: inout RowContext, _ receive: (OrderFileEvent) -> Void
    ) throws(OrderFileError) -> CSVHeader {
        let header = try CSVHeader(row, defaultCurrency: context.defaultCurrency)
        context.allowsDecimalComma = header.delimiter.allowsDecimalComma
        for name in header.unknownNames {
            if let notice = context.notice(ofUnknown: name) { receive(.notice(notice)) }
        }
        return header
    }

    private static func event(of row: CSVRow, _ header: CSVHeader, _ context: inout RowContext) -> OrderFileEvent {
        func source() -> [UInt8] { row.source(from: min(header.sourceStart, row.fieldCount - 1)) }
        guard row.fieldCount == header.fieldCount else {
            let rowError = RowError(column: nil, value: "", problem: .fieldCount(row.fieldCount, expected: header.fieldCount))
            return context.faulty(number: row.number, line: row.line, errors: [rowError], source: source())
        }
        var draft = RowDraft(number: row.number)
        for cell in header.importedFields {
            row.withField(cell.index) { value in
                draft.set(cell.column, value.extracting((FormulaCell.isEscaped(value) ? 1 : 0)...), &context)
                if value.count == 0, row.isQuoted(cell.index) { draft.setEmpty(cell.column) }
            }
        }
        return context.event(of: &draft, number: row.number, line: row.line, name: { header.name(of: $0) }, source: source)
    }
}
