extension String {
    func cut(to limit: Int) -> String {
        count <= limit ? self : prefix(limit - 1) + "…"
    }

    func padded(to width: Int, onLeft: Bool) -> String {
        let padding = String(repeating: " ", count: max(0, width - count))
        return onLeft ? padding + self : self + padding
    }

    /// Without the spaces at its end.
    var trimmingSuffix: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
