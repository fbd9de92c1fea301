/// Rows of short texts under their titles, laid out part by part: on a terminal in its width, elsewhere whole.
struct TextTable: Sendable {
    struct Column: Sendable {
        let title: String
        var isNumber = false
        /// How narrow the column may become on a terminal; nil when its cells are always whole.
        var minimumWidth: Int?
        /// Which end of a cell is cut off.
        var truncatedEnd = String.End.trailing
    }

    struct Row: Sendable {
        /// One for each column, or fewer.
        var cells: [String]
        /// A text behind the cells that is always whole, such as the reason of a failure.
        var note: String?
    }

    private let columns: [Column]
    private let width: Int?
    /// The columns that are shown; none before the first part.
    private var visibleColumns: [Int] = []
    /// The width of the widest cell of each column so far, the title included.
    private var naturalWidths: [Int]

    /// - Parameter width: How many columns the terminal has; nil when the table is not shown on one.
    init(_ columns: [Column], width: Int?) {
        self.columns = columns
        self.width = width
        naturalWidths = columns.map(\.title.columns)
    }

    /// Returns the lines of a part, under the titles if it is the first or shows other columns than the part before.
    ///
    /// The widths are those of the widest cells so far. On a terminal a column is left out until a part has a cell for it.
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
        TableLayout(naturalWidths: visibleColumns.map { naturalWidths[$0] }, minimumWidths: visibleColumns.map { columns[$0].minimumWidth ?? .max }, width: width)
    }

    /// Widens the columns to the cells of a part and adds the columns that it fills; returns whether there are more columns than before.
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
        return (cells + (row.note.map { [$0] } ?? [])).joined(separator: String(repeating: " ", count: TableLayout.columnSpacing)).trimmingTrailingSpaces
    }

    /// A line for each cell that is not empty, and an empty one at the end.
    private func block(_ row: Row) -> String {
        let titleWidth = visibleColumns.map { columns[$0].title.columns }.max() ?? 0
        let lines = visibleColumns.filter { !row[$0].isEmpty }.map { columns[$0].title.padded(to: titleWidth, onLeft: false) + "  " + row[$0] }
        return (lines + (row.note.map { [$0] } ?? [])).map { $0 + "\n" }.joined()
    }
}

extension TextTable.Row {
    fileprivate subscript(column: Int) -> String { column < cells.count ? cells[column] : "" }
}
