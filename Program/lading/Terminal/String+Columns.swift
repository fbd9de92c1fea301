extension String {
    /// The width of the text in terminal columns.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the text truncated to a number of columns, with an ellipsis if anything is removed.
    ///
    /// - Parameter end: The end at which the text is truncated.
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

    /// Returns the longest prefix that fits into a number of columns.
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

    /// The text without trailing spaces.
    var trimmingTrailingSpaces: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
