import LadingCaching

/// A cache of rendered rows by content and language, shared by all pages.
///
/// `Content` identifies a version of a row.
final class RenderedRowCache<Content: Hashable & Sendable>: Sendable {
    /// The maximum size of the cached rows, in bytes.
    static var sizeLimit: Int { 16 << 20 }

    private struct Key: Hashable, Sendable {
        let content: Content
        let language: Language
    }

    private let cache = MemoryCache<Key, JSONText>(costLimit: RenderedRowCache.sizeLimit)

    /// Returns the rendered row of a content; nil when it is not cached.
    func html(of content: Content, in language: Language) -> JSONText? {
        cache.value(for: Key(content: content, language: language))
    }

    func store(_ html: JSONText, of content: Content, in language: Language) {
        cache.store(html, for: Key(content: content, language: language), cost: html.text.utf8.count)
    }
}
