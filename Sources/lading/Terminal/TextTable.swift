/// Rows of short texts under their titles, laid out part by part: on a terminal in its width, elsewhere whole.
struct TextTable: Sendable {
    struct Column: Sendable {
        let title: String
        var isNumber = false
        /// How narrow the column may become on a terminal; nil when its cells are always whole.
        var least: Int?
        /// Which end of a cell is cut off.
        var end = String.End.trailing
    }

    struct Row: Sendable {
        /// One for each column, or fewer.
        var cells: [String]
        /// A text behind the cells that is always whole, such as the reason of a failure.
        var note: String?
    }

    private let columns: [Column]
    private let width: Int?
    /// The columns that are shown, and their layout; nil before the first part.
    private var layout: (shown: [Int], TableLayout)?

    /// - Parameter width: How many columns the terminal has; nil when the table is not shown on one.
    init(_ columns: [Column], width: Int?) {
        self.columns = columns
        self.width = width
    }

    /// The lines of a part, those of the first with the titles above them.
    ///
    /// The widths are those of the first part. On a terminal a column that is empty in it is left out.
    mutating func text(of rows: [Row]) -> String {
        let rows = rows.map { Row(cells: $0.cells.map(\.oneLine), note: $0.note?.oneLine) }
        let isFirst = layout == nil
        let (shown, layout) = layout ?? layOut(rows)
        self.layout = (shown, layout)
        switch layout {
        case .columns(let widths):
            let titles = isFirst ? [Row(cells: columns.map(\.title))] : []
            return (titles + rows).map { line($0, shown, widths) + "\n" }.joined()
        case .stacked: return rows.map { block($0, shown) + "\n" }.joined()
        }
    }

    private func layOut(_ rows: [Row]) -> (shown: [Int], TableLayout) {
        let shown = columns.indices.filter { column in
            width == nil || rows.isEmpty || rows.contains { $0[column].isEmpty == false }
        }
        let natural = shown.map { column in
            rows.reduce(columns[column].title.columns) { max($0, $1[column].columns) }
        }
        return (shown, TableLayout(natural: natural, least: shown.map { columns[$0].least ?? .max }, width: width))
    }

    private func line(_ row: Row, _ shown: [Int], _ widths: [Int]) -> String {
        let cells = zip(shown, widths).filter { $0.0 < row.cells.count }.map { column, width in
            let cell = self.width == nil ? row[column] : row[column].cut(to: width, at: columns[column].end)
            return cell.padded(to: width, onLeft: columns[column].isNumber)
        }
        return (cells + (row.note.map { [$0] } ?? [])).joined(separator: String(repeating: " ", count: TableLayout.gap)).trimmingSuffix
    }

    /// A line for each cell that is not empty, and an empty one at the end.
    private func block(_ row: Row, _ shown: [Int]) -> String {
        let titleWidth = shown.map { columns[$0].title.columns }.max() ?? 0
        let lines = shown.filter { !row[$0].isEmpty }.map { columns[$0].title.padded(to: titleWidth, onLeft: false) + "  " + row[$0] }
        return (lines + (row.note.map { [$0] } ?? [])).map { $0 + "\n" }.joined()
    }
}

extension TextTable.Row {
    fileprivate subscript(column: Int) -> String { column < cells.count ? cells[column] : "" }
}
