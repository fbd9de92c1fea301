/// The loaded ranges of a list with their generations and adjacent pages. A synchronous value.
///
/// A page replaces its places in older ranges, whose remaining sides retain their keys. Adjoining pages of one refresh are merged. Ranges beyond a
/// confirmed end are removed. An end that an empty page confirms is an empty range, unless a range of its refresh ends there.
public struct LoadedRangeSet: Hashable, Sendable {
    /// The ranges in the order of their places, without overlap.
    public private(set) var ranges: [LoadedRange]

    public init(_ ranges: [LoadedRange] = []) {
        self.ranges = ranges.sorted { $0.places.lowerBound < $1.places.lowerBound }
    }

    public var newestGeneration: Int { ranges.map(\.generation).max() ?? 0 }

    /// Adds a page and merges it with the adjoining ranges of its generation.
    public mutating func add(_ page: LoadedRange) {
        var remaining = ranges.flatMap { $0.subtracting(page.places) }
        if page.isEnd {
            remaining = remaining.flatMap { $0.subtracting(page.places.upperBound..<Int.max) }
        }
        if page.places.isEmpty { return setRanges(remaining, applyingEmptyPage: page) }
        remaining.append(page)
        ranges = remaining.sorted { $0.places.lowerBound < $1.places.lowerBound }
            .reduce(into: []) { runs, range in
                guard let last = runs.last, let joined = last.merged(with: range) else { return runs.append(range) }
                runs[runs.count - 1] = joined
            }
    }

    /// Applies an empty page, which loads no places. It confirms the end, after the range before it if that is of its refresh, or updates the next
    /// key of the range before it, or removes the previous key of the range after it.
    private mutating func setRanges(_ remaining: [LoadedRange], applyingEmptyPage page: LoadedRange) {
        ranges = remaining
        if !page.isEnd, page.next == nil {
            let next = ranges.firstIndex { $0.places.lowerBound == page.places.lowerBound }
            if let next { ranges[next].previous = page.previous }
            return
        }
        let before = ranges.lastIndex { range in
            range.places.upperBound == page.places.lowerBound && (!page.isEnd || range.generation == page.generation)
        }
        guard let index = before else {
            // Without rows of its refresh before it, the end is stored by itself.
            if page.isEnd { ranges.append(page) }
            return
        }
        ranges[index].next = page.next
        ranges[index].isEnd = page.isEnd
    }
}

extension LoadedRange {
    /// Returns the parts of the range outside of some places.
    fileprivate func subtracting(_ removed: Range<Int>) -> [LoadedRange] {
        guard !removed.isEmpty else { return [self] }
        // An end without rows is removed by the first page at its place.
        if places.isEmpty { return removed.contains(places.lowerBound) ? [] : [self] }
        guard places.overlaps(removed) else { return [self] }
        var remaining: [LoadedRange] = []
        if places.lowerBound < removed.lowerBound {
            remaining.append(LoadedRange(places: places.lowerBound..<removed.lowerBound, generation: generation, previous: previous))
        }
        if removed.upperBound < places.upperBound {
            remaining.append(
                LoadedRange(places: removed.upperBound..<places.upperBound, generation: generation, next: next, isEnd: isEnd))
        }
        return remaining
    }

    /// Returns the union with a range of the same generation that starts at this one's end; nil for other ranges.
    fileprivate func merged(with other: LoadedRange) -> LoadedRange? {
        guard generation == other.generation, places.upperBound == other.places.lowerBound else { return nil }
        return LoadedRange(
            places: places.lowerBound..<other.places.upperBound, generation: generation, previous: previous, next: other.next,
            isEnd: other.isEnd)
    }
}
