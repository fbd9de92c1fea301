/// How the columns of a table share the width of a terminal.
enum TableLayout: Equatable, Sendable {
    /// Beside each other, with these widths.
    case columns([Int])
    /// Each cell in a line of its own, because the columns do not fit beside each other.
    case stacked

    /// How many spaces are between two columns.
    static let columnSpacing = 2

    /// - Parameters:
    ///   - natural: How wide the widest cell of each column is.
    ///   - least: How narrow each column may become.
    ///   - width: How many columns the terminal has; nil when the table is not shown on one, and is as wide as its cells.
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
        // A column that is wider than all the room is no wider than that: the loop below takes a step for each column of the terminal, not of the text.
        var widths = zip(naturalWidths, minimumWidths).map { max($1, min($0, room)) }
        while widths.reduce(0, +) > room, let widest = Self.widestColumn(of: widths, above: minimumWidths) { widths[widest] -= 1 }
        self = .columns(widths)
    }

    private static func widestColumn(of widths: [Int], above minimumWidths: [Int]) -> Int? {
        widths.indices.filter { widths[$0] > minimumWidths[$0] }.max { widths[$0] < widths[$1] }
    }
}
