import LadingCaching

/// Loaded rows as the pages of one language show them: rendered once, however many pages there are.
///
/// A `Content` is what tells one version of a row from another.
final class RowRenderings<Content: Hashable & Sendable>: Sendable {
    /// In bytes.
    static var sizeLimit: Int { 16 << 20 }

    private struct Key: Hashable, Sendable {
        let content: Content
        let language: Language
    }

    private let kept = MemoryCache<Key, JSONText>(costLimit: RowRenderings.sizeLimit)

    /// The row with this content; nil when it is not kept.
    func html(of content: Content, in language: Language) -> JSONText? {
        kept.value(for: Key(content: content, language: language))
    }

    func keep(_ html: JSONText, of content: Content, in language: Language) {
        kept.store(html, for: Key(content: content, language: language), cost: html.text.utf8.count)
    }
}
