/// Which places of a list are covered, by which refresh, and how it goes on from there. A synchronous value.
///
/// A page takes its places away from whatever covered them before; what is left of an older run keeps its key on the side that is left. Pages of one refresh
/// that touch become one run. Behind a confirmed end there is nothing.
public struct LoadedRangeSet: Hashable, Sendable {
    /// In the order of their places; they do not overlap.
    public private(set) var ranges: [LoadedRange]

    public init(_ ranges: [LoadedRange] = []) {
        self.ranges = ranges.sorted { $0.places.lowerBound < $1.places.lowerBound }
    }

    public var newestGeneration: Int { ranges.map(\.generation).max() ?? 0 }

    /// Adds a page.
    public mutating func add(_ page: LoadedRange) {
        var kept = ranges.flatMap { $0.subtracting(page.places) }
        if page.isEnd {
            kept = kept.flatMap { $0.subtracting(page.places.upperBound..<Int.max) }
        }
        if page.places.isEmpty { return setRanges(kept, applyingEmptyPage: page) }
        kept.append(page)
        ranges = kept.sorted { $0.places.lowerBound < $1.places.lowerBound }
            .reduce(into: []) { runs, run in
                guard let last = runs.last, let joined = last.merged(with: run) else { return runs.append(run) }
                runs[runs.count - 1] = joined
            }
    }

    /// An empty page covers nothing. It still tells the run before it that this was the end, or where it goes on; or the run behind it that
    /// there is nothing in front of it.
    private mutating func setRanges(_ kept: [LoadedRange], applyingEmptyPage page: LoadedRange) {
        ranges = kept
        if !page.isEnd, page.next == nil {
            let behind = ranges.firstIndex { $0.places.lowerBound == page.places.lowerBound }
            if let behind { ranges[behind].previous = page.previous }
            return
        }
        guard let index = ranges.firstIndex(where: { $0.places.upperBound == page.places.lowerBound }) else {
            // The whole list is empty: that is worth remembering too.
            if page.isEnd { ranges.append(page) }
            return
        }
        ranges[index].next = page.next
        ranges[index].isEnd = page.isEnd
    }
}

extension LoadedRange {
    /// What is left of the run beside these places.
    fileprivate func subtracting(_ removed: Range<Int>) -> [LoadedRange] {
        guard !removed.isEmpty else { return [self] }
        // An end that was confirmed at an empty list goes with the first page that lies there.
        if places.isEmpty { return removed.contains(places.lowerBound) ? [] : [self] }
        guard places.overlaps(removed) else { return [self] }
        var left: [LoadedRange] = []
        if places.lowerBound < removed.lowerBound {
            left.append(LoadedRange(places: places.lowerBound..<removed.lowerBound, generation: generation, previous: previous))
        }
        if removed.upperBound < places.upperBound {
            left.append(
                LoadedRange(places: removed.upperBound..<places.upperBound, generation: generation, next: next, isEnd: isEnd))
        }
        return left
    }

    /// Both as one, when the other begins where this one ends and is of the same refresh.
    fileprivate func merged(with other: LoadedRange) -> LoadedRange? {
        guard generation == other.generation, places.upperBound == other.places.lowerBound else { return nil }
        return LoadedRange(
            places: places.lowerBound..<other.places.upperBound, generation: generation, previous: previous, next: other.next,
            isEnd: other.isEnd)
    }
}
