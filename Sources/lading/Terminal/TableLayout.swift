/// How the columns of a table share the width of a terminal.
enum TableLayout: Equatable, Sendable {
    /// Beside each other, with these widths.
    case columns([Int])
    /// Each cell in a line of its own, because the columns do not fit beside each other.
    case stacked

    /// How many spaces are between two columns.
    static let gap = 2

    /// - Parameters:
    ///   - natural: How wide the widest cell of each column is.
    ///   - least: How narrow each column may become.
    ///   - width: How many columns the terminal has; nil when the table is not shown on one, and is as wide as its cells.
    init(natural: [Int], least: [Int], width: Int?) {
        guard let width else {
            self = .columns(natural)
            return
        }
        let room = width - Self.gap * max(0, natural.count - 1)
        let least = zip(natural, least).map { min($0, $1) }
        guard least.reduce(0, +) <= room else {
            self = .stacked
            return
        }
        // A column that is wider than all the room is no wider than that: the loop below takes a step for each column of the terminal, not of the text.
        var widths = zip(natural, least).map { max($1, min($0, room)) }
        while widths.reduce(0, +) > room, let widest = Self.widest(of: widths, above: least) { widths[widest] -= 1 }
        self = .columns(widths)
    }

    private static func widest(of widths: [Int], above least: [Int]) -> Int? {
        widths.indices.filter { widths[$0] > least[$0] }.max { widths[$0] < widths[$1] }
    }
}
