/// The first row of a CSV file, which names the columns.
struct CSVHeader: Sendable {
    /// The largest number of names in an error.
    private static let nameLimit = 20

    /// The columns by field; nil for unknown ones.
    private let columns: [OrderColumn?]
    /// The names by field, without control characters.
    private let names: [String]
    /// The fields that are imported.
    let importedFields: [(index: Int, column: OrderColumn)]
    let delimiter: CSVDelimiter
    /// The first field of a row's source: a file of faulty rows begins with the column `problem`.
    let sourceStart: Int
    /// The header as it is in the file, from its first field that rows repeat in their sources.
    let source: [UInt8]

    init(_ row: CSVRow, defaultCurrency: String?) throws(OrderFileError) {
        let texts = (0..<row.fieldCount).map { row.text($0) }
        names = texts.map { String(RowError.truncated($0).trimmingPrefix { $0.isWhitespace }) }
        columns = texts.map { OrderColumn(header: $0) }
        importedFields = columns.enumerated().compactMap { index, column in
            column.flatMap { $0.isImported ? (index, $0) : nil }
        }
        delimiter = row.delimiter
        sourceStart = columns.first == .problem && columns.count > 1 ? 1 : 0
        source = row.source(from: sourceStart)
        try checkColumns(defaultCurrency)
    }

    var fieldCount: Int { columns.count }

    /// The names of unknown columns.
    var unknownNames: [String] { zip(names, columns).compactMap { name, column in column == nil && !name.isEmpty ? name : nil } }

    func name(of column: OrderColumn) -> String {
        columns.firstIndex(of: column).map { names[$0] } ?? column.name
    }

    private func checkColumns(_ defaultCurrency: String?) throws(OrderFileError) {
        var indices: [OrderColumn: Int] = [:]
        for cell in importedFields {
            if let first = indices.updateValue(cell.index, forKey: cell.column) {
                throw .duplicateColumn(cell.column, names[first], names[cell.index])
            }
        }
        let missing = OrderColumn.required.filter { indices[$0] == nil && !($0 == .currency && defaultCurrency != nil) }
        guard missing.isEmpty else {
            throw .missingColumns(missing, found: Array(names.filter { !$0.isEmpty }.prefix(Self.nameLimit)))
        }
    }
}
