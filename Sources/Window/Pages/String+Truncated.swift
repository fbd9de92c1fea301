extension String {
    /// At most this long: a server may send any text, and a row has its place on the line.
    func truncated(to limit: Int) -> String {
        count <= limit ? self : prefix(limit - 1) + "…"
    }
}
