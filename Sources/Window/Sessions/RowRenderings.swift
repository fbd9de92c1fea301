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

    /// The row of an order in one version; nil when it is not kept.
    func html(of id: RowID, version: Int, in language: Language) -> JSONText? {
        kept.value(for: Key(id: id, version: version, language: language))
    }

    func keep(_ html: JSONText, of id: RowID, version: Int, in language: Language) {
        kept.store(html, for: Key(id: id, version: version, language: language), cost: html.text.utf8.count)
    }
}
