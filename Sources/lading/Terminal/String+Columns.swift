extension String {
    /// How many columns of a terminal the text takes.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text, or as much of it as fits into this many columns with an ellipsis for the rest.
    ///
    /// - Parameter end: Which end is cut off.
    func truncated(to limit: Int, at end: End = .trailing) -> String {
        guard columns > limit else { return self }
        guard limit > 0 else { return "" }
        switch end {
        case .leading: return "…" + String(String(reversed()).fitting(limit - 1).reversed())
        case .trailing: return fitting(limit - 1) + "…"
        }
    }

    /// An end of a text.
    enum End: Sendable {
        case leading, trailing
    }

    /// The longest beginning that fits into this many columns.
    func fitting(_ limit: Int) -> Substring {
        var usedColumns = 0
        return prefix { character in
            usedColumns += character.columns
            return usedColumns <= limit
        }
    }

    func padded(to width: Int, onLeft: Bool) -> String {
        let padding = String(repeating: " ", count: max(0, width - columns))
        return onLeft ? padding + self : self + padding
    }

    /// Without the spaces at its end.
    var trimmingTrailingSpaces: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
