/// The direction in which a list is extended.
public enum PageDirection: Hashable, Sendable, CaseIterable {
    /// After the last loaded range.
    case append
    /// Before the first loaded range.
    case prepend
    /// Again from the first page.
    case refresh
    /// Around a place that no loaded range of the newest refresh reaches.
    case seek
}

/// A request for one page.
package struct PageFetch: Hashable, Sendable {
    /// The place at which the page starts or ends.
    package enum Anchor: Hashable, Sendable {
        case start(Int)
        /// The page ends before this place.
        case end(Int)
    }

    package var number: Int
    package var direction: PageDirection
    package var generation: Int
    package var key: PageKey
    package var anchor: Anchor
    /// Whether it repeats a fetch that others have cancelled.
    package var isRepeated = false
}
