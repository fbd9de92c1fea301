import LadingCaching

/// Loaded rows as the pages of one language show them: rendered once, however many pages there are.
///
/// A `Content` is what tells one version of a row from another.
final class RenderedRowCache<Content: Hashable & Sendable>: Sendable {
    /// In bytes.
    static var sizeLimit: Int { 16 << 20 }

    private struct Key: Hashable, Sendable {
        let content: Content
        let language: Language
    }

    private let cache = MemoryCache<Key, JSONText>(costLimit: RenderedRowCache.sizeLimit)

    /// The row with this content; nil when it is not kept.
    func html(of content: Content, in language: Language) -> JSONText? {
        cache.value(for: Key(content: content, language: language))
    }

    func store(_ html: JSONText, of content: Content, in language: Language) {
        cache.store(html, for: Key(content: content, language: language), cost: html.text.utf8.count)
    }
}
