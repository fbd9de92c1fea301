/// The words of a search, all of which an order contains in its title, note or address.
package struct SearchText: Hashable, Sendable {
    /// The words with which a word of the order begins.
    package let words: [String]
    /// The words with ideographs, which the order contains anywhere, because texts have no spaces between such words.
    package let parts: [String]

    package init(_ text: String) {
        let all = text.unicodeScalars.split { !$0.isWordPart }
        words = all.filter { !$0.contains(where: \.isIdeograph) }.map { String($0) }
        parts = all.filter { $0.contains(where: \.isIdeograph) }.map { String($0) }
    }
}
