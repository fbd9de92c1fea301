/// The layout of a table in a terminal.
enum TableLayout: Equatable, Sendable {
    /// Side by side, with these widths.
    case columns([Int])
    /// Each cell on its own line, because the columns do not fit side by side.
    case stacked

    /// The number of spaces between two columns.
    static let columnSpacing = 2

    /// Distributes the width of a terminal among the columns.
    ///
    /// - Parameters:
    ///   - naturalWidths: The width of the widest cell of each column.
    ///   - minimumWidths: The minimum width of each column.
    ///   - width: The width of the terminal in columns; nil when the table is not shown on one, and has the width of its cells.
    init(naturalWidths: [Int], minimumWidths: [Int], width: Int?) {
        guard let width else {
            self = .columns(naturalWidths)
            return
        }
        let room = width - Self.columnSpacing * max(0, naturalWidths.count - 1)
        let minimumWidths = zip(naturalWidths, minimumWidths).map { min($0, $1) }
        guard minimumWidths.reduce(0, +) <= room else {
            self = .stacked
            return
        }
        // Limits the columns to the available width first, which bounds the steps of the loop below by the width of the terminal, not of the text.
        var widths = zip(naturalWidths, minimumWidths).map { max($1, min($0, room)) }
        while widths.reduce(0, +) > room, let widest = Self.maximumColumn(of: widths, above: minimumWidths) { widths[widest] -= 1 }
        self = .columns(widths)
    }

    private static func maximumColumn(of widths: [Int], above minimumWidths: [Int]) -> Int? {
        widths.indices.filter { widths[$0] > minimumWidths[$0] }.max { widths[$0] < widths[$1] }
    }
}
