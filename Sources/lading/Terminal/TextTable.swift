/// Rows of short texts under their titles, each column as wide as its widest text; the last one is never padded.
struct TextTable {
    private let rows: [[String]]

    /// - Parameter rows: Each with as many texts as there are titles.
    init(_ titles: [String], _ rows: [[String]]) {
        self.rows = ([titles] + rows).map { $0.map(\.oneLine) }
    }

    var text: String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padded(to: $1, onLeft: false) }.joined(separator: "  ").trimmingSuffix + "\n"
        }
        .joined()
    }
}
