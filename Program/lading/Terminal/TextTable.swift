/// A table of short texts with titles, laid out in batches: fitted to the width of a terminal, not truncated elsewhere.
struct TextTable: Sendable {
    struct Column: Sendable {
        let title: String
        var isNumber = false
        /// The minimum width on a terminal; nil when cells are never truncated.
        var minimumWidth: Int?
        /// The end at which cells are truncated.
        var truncatedEnd = String.End.trailing
    }

    struct Row: Sendable {
        /// The cells, at most one per column.
        var cells: [String]
        /// A text after the cells that is never truncated, such as the reason of a failure.
        var note: String?
    }

    private let columns: [Column]
    private let width: Int?
    /// The visible columns; none before the first batch.
    private var visibleColumns: [Int] = []
    /// The width of the widest cell of each column so far, including the title.
    private var naturalWidths: [Int]

    /// Creates an empty table.
    ///
    /// - Parameter width: The width of the terminal in columns; nil when the table is not shown on one.
    init(_ columns: [Column], width: Int?) {
        self.columns = columns
        self.width = width
        naturalWidths = columns.map(\.title.columns)
    }

    /// Returns the lines of a batch, with titles if it is the first or has additional columns.
    ///
    /// The widths are those of the widest cells so far. On a terminal a column is hidden until a batch has a cell for it.
    mutating func text(of rows: [Row]) -> String {
        let rows = rows.map { Row(cells: $0.cells.map(\.oneLine), note: $0.note?.oneLine) }
        let hasNewColumns = measure(rows)
        switch layout {
        case .columns(let widths):
            let titles = hasNewColumns ? [Row(cells: columns.map(\.title))] : []
            return (titles + rows).map { line($0, widths) + "\n" }.joined()
        case .stacked: return rows.map { block($0) + "\n" }.joined()
        }
    }

    private var layout: TableLayout {
        TableLayout(
            naturalWidths: visibleColumns.map { naturalWidths[$0] }, minimumWidths: visibleColumns.map { columns[$0].minimumWidth ?? .max },
            width: width)
    }

    /// Widens columns to the cells of a batch and shows those that it fills. Returns whether columns were added.
    private mutating func measure(_ rows: [Row]) -> Bool {
        for column in columns.indices {
            naturalWidths[column] = rows.reduce(naturalWidths[column]) { max($0, $1[column].columns) }
        }
        let earlier = visibleColumns
        visibleColumns = columns.indices.filter { column in
            width == nil || rows.isEmpty || earlier.contains(column) || rows.contains { !$0[column].isEmpty }
        }
        return visibleColumns != earlier
    }

    private func line(_ row: Row, _ widths: [Int]) -> String {
        let cells = zip(visibleColumns, widths).filter { $0.0 < row.cells.count }.map { column, width in
            let cell = self.width == nil ? row[column] : row[column].truncated(to: width, at: columns[column].truncatedEnd)
            return cell.padded(to: width, onLeft: columns[column].isNumber)
        }
        return (cells + (row.note.map { [$0] } ?? [])).joined(separator: String(repeating: " ", count: TableLayout.columnSpacing))
            .trimmingTrailingSpaces
    }

    /// Returns a line for each non-empty cell and the note.
    private func block(_ row: Row) -> String {
        let titleWidth = visibleColumns.map { columns[$0].title.columns }.max() ?? 0
        let lines = visibleColumns.filter { !row[$0].isEmpty }.map {
            columns[$0].title.padded(to: titleWidth, onLeft: false) + "  " + row[$0]
        }
        return (lines + (row.note.map { [$0] } ?? [])).map { $0 + "\n" }.joined()
    }
}

extension TextTable.Row {
    fileprivate subscript(column: Int) -> String { column < cells.count ? cells[column] : "" }
}
