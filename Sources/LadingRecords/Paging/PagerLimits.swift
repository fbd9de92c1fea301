/// The limits of a pager.
package struct PagerLimits: Sendable {
    /// The number of places on each side of the visible range that are loaded ahead.
    package var prefetchDistance: Int
    /// The maximum number of places in memory; at least four times the prefetch distance.
    package var bufferLimit: Int

    package init(prefetchDistance: Int = 40, bufferLimit: Int = 400) {
        self.prefetchDistance = max(1, min(prefetchDistance, Self.placeLimit))
        self.bufferLimit = max(4 * self.prefetchDistance, min(bufferLimit, Self.placeLimit))
    }

    /// The maximum distance of a place from 0, in both directions: that of the offset of a parsed key. Sums of places cannot overflow.
    private static let placeLimit = PageKey.numberLimit

    /// The maximum number of visible places.
    var visibleLimit: Int { bufferLimit - 3 * prefetchDistance }

    /// Returns those of some places that are at most `placeLimit` from 0, at most `visibleLimit` from their start.
    func visiblePlaces(in places: Range<Int>) -> Range<Int> {
        places.clamped(to: -Self.placeLimit..<Self.placeLimit).truncated(to: visibleLimit)
    }
}

extension Range<Int> {
    /// Returns the range with at most `limit` elements, from its start.
    fileprivate func truncated(to limit: Int) -> Range { lowerBound..<Swift.min(upperBound, lowerBound + limit) }
}
