/// Which places of a list are covered, by which refresh, and how it goes on from there. A synchronous value.
///
/// A page takes its places away from whatever covered them before; what is left of an older run keeps its key on the side that is left. Pages of one refresh
/// that touch become one run. Behind a confirmed end there is nothing.
public struct PageCoverage: Hashable, Sendable {
    /// In the order of their places; they do not overlap.
    public private(set) var runs: [PageRun]

    public init(_ runs: [PageRun] = []) {
        self.runs = runs.sorted { $0.places.lowerBound < $1.places.lowerBound }
    }

    public var newestGeneration: Int { runs.map(\.generation).max() ?? 0 }

    /// Adds a page.
    public mutating func add(_ page: PageRun) {
        var kept = runs.flatMap { $0.without(page.places) }
        if page.isEnd {
            kept = kept.flatMap { $0.without(page.places.upperBound..<Int.max) }
        }
        if page.places.isEmpty { return end(kept, with: page) }
        kept.append(page)
        runs = kept.sorted { $0.places.lowerBound < $1.places.lowerBound }
            .reduce(into: []) { runs, run in
                guard let last = runs.last, let joined = last.joined(run) else { return runs.append(run) }
                runs[runs.count - 1] = joined
            }
    }

    /// An empty page covers nothing. It still tells the run before it that this was the end, or where it goes on; or the run behind it that
    /// there is nothing in front of it.
    private mutating func end(_ kept: [PageRun], with page: PageRun) {
        runs = kept
        if !page.isEnd, page.next == nil {
            let behind = runs.firstIndex { $0.places.lowerBound == page.places.lowerBound }
            if let behind { runs[behind].previous = page.previous }
            return
        }
        guard let index = runs.firstIndex(where: { $0.places.upperBound == page.places.lowerBound }) else {
            // The whole list is empty: that is worth remembering too.
            if page.isEnd { runs.append(page) }
            return
        }
        runs[index].next = page.next
        runs[index].isEnd = page.isEnd
    }
}

extension PageRun {
    /// What is left of the run beside these places.
    fileprivate func without(_ taken: Range<Int>) -> [PageRun] {
        guard !taken.isEmpty else { return [self] }
        // An end that was confirmed at an empty list goes with the first page that lies there.
        if places.isEmpty { return taken.contains(places.lowerBound) ? [] : [self] }
        guard places.overlaps(taken) else { return [self] }
        var left: [PageRun] = []
        if places.lowerBound < taken.lowerBound {
            left.append(PageRun(places: places.lowerBound..<taken.lowerBound, generation: generation, previous: previous))
        }
        if taken.upperBound < places.upperBound {
            left.append(
                PageRun(places: taken.upperBound..<places.upperBound, generation: generation, next: next, isEnd: isEnd))
        }
        return left
    }

    /// Both as one, when the other begins where this one ends and is of the same refresh.
    fileprivate func joined(_ other: PageRun) -> PageRun? {
        guard generation == other.generation, places.upperBound == other.places.lowerBound else { return nil }
        return PageRun(
            places: places.lowerBound..<other.places.upperBound, generation: generation, previous: previous, next: other.next,
            isEnd: other.isEnd)
    }
}
