import LadingCaching
import LadingFeeds
import Orders

/// Loaded rows as the pages of one language show them: rendered once, however many pages there are.
final class RowRenderings: Sendable {
    /// In bytes.
    static let sizeLimit = 16 << 20

    private struct Key: Hashable, Sendable {
        let id: RowID
        let version: Int
        let language: Language
    }

    private let kept = MemoryCache<Key, JSONText>(costLimit: sizeLimit)

    /// The row of an order in one version, rendered unless it has been before.
    func html(of id: RowID, version: Int, in language: Language, render: () -> String) -> JSONText {
        let key = Key(id: id, version: version, language: language)
        if let known = kept.value(for: key) { return known }
        let html = JSONText(render())
        kept.store(html, for: key, cost: html.text.utf8.count)
        return html
    }
}
