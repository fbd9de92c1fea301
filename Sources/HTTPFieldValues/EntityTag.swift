/// An entity tag (RFC 9110 §8.8.3); invalid ones are accepted.
package struct EntityTag: Hashable {
    package let text: String

    package init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    package var isWeak: Bool { text.hasPrefix("W/") }

    /// Returns whether two tags are equal apart from weakness, as in `If-None-Match` (§13.1.2).
    package func isWeakMatch(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// Returns whether two tags are equal and both strong, as in `If-Range` (§13.1.5).
    package func isStrongMatch(_ other: EntityTag) -> Bool { !isWeak && text == other.text }

    private var opaque: Substring { isWeak ? text.dropFirst(2) : text[...] }
}
