extension String {
    /// Returns the text truncated to at most `limit` characters, as rows have limited space.
    func truncated(to limit: Int) -> String {
        count <= limit ? self : prefix(limit - 1) + "…"
    }
}
