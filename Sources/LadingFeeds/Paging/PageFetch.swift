/// Where a list grows.
public enum PageDirection: Hashable, Sendable, CaseIterable {
    /// Behind what is covered.
    case append
    /// In front of what is covered.
    case prepend
    /// From the first page on.
    case refresh
    /// Somewhere else.
    case jump
}

/// A page that is asked for.
package struct PageFetch: Hashable, Sendable {
    /// Where the page is to lie.
    package enum Anchor: Hashable, Sendable {
        case start(Int)
        /// It ends in front of this place.
        case end(Int)
    }

    package var number: Int
    package var direction: PageDirection
    package var generation: Int
    package var key: PageKey
    package var anchor: Anchor
}
