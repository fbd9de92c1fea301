import Decisions

/// The decisions of a paged list: which pages are fetched and which rows are in memory. A synchronous value.
///
/// Rows are read from the store only; pages are fetched from the server into the store. So reading is the same with and without a network,
/// and a failure erases nothing. A place is the index of a row in the list of the server; some places may be empty.
///
/// | event | effects |
/// |---|---|
/// | opened | read the visible range; if the store never had a page, or after a refresh, fetch the first |
/// | visibleRange | read missing rows, evict distant ones; fetch the page at or beside the range, also if an older refresh has loaded it |
/// | refresh | cancel all fetches, fetch the first page for a new generation; before the list is opened, do so then |
/// | fetched, dropped | continue as for visibleRange |
/// | failed | no fetch in this direction until a retry or a refresh |
/// | cancelled | repeat the fetch once, and then continue as for failed |
/// | read | store the rows in memory, continue as for visibleRange |
/// | readFailed | no read until a retry or a change |
/// | retry | repeat failed fetches and reads |
/// | changed | read the rows in memory again, continue as for visibleRange |
/// | localChanges | as for changed if such a row is in memory or may be being read, or after a failed read |
///
/// Results of a cancelled fetch or an older refresh have no effect. At any time there is at most one fetch in each direction, one fetch for
/// each page, and one read.
package struct Pager<Row: PersistableRow>: Decision, Sendable {
    /// An event. A number identifies the fetch or the read of an effect.
    package enum Event: Sendable {
        /// The store has these loaded ranges.
        case opened([LoadedRange])
        /// These places are visible.
        case visibleRange(Range<Int>)
        case refresh
        case retry
        /// A page was stored, and loads this range.
        case fetched(Int, LoadedRange)
        /// A page was not stored, because its places belong to a newer refresh.
        case dropped(Int)
        /// A page could not be fetched or stored.
        case failed(Int, any Error)
        /// Others have cancelled a fetch.
        case cancelled(Int)
        /// Rows were read from the store.
        case read(Int, [StoredRecord<Row>])
        /// Rows could not be read.
        case readFailed(Int, any Error)
        /// The store was changed, by this list or others, and has these loaded ranges.
        case changed([LoadedRange])
        /// Local changes of these rows were set or removed.
        case localChanges(Set<Row.ID>)
    }

    package enum Effect: Hashable, Sendable {
        case fetch(PageFetch)
        /// Cancel the fetch with this number.
        case cancel(Int)
        /// Read the rows in these places as the read with this number.
        case read(Int, Range<Int>)
        /// Notify the observer of the list.
        case update
    }

    private struct PendingRead: Sendable {
        var number: Int
        var places: Range<Int>
        /// Whether the rows read replace all rows in memory.
        var replacesAll: Bool
        /// The loaded ranges at the start of the read.
        var loadedRanges: LoadedRangeSet
    }

    /// The maximum number of empty places beside the visible ones that count as visible.
    private static var emptyPlaceLimit: Int { 200 }

    package let paging: any Paging
    package let limits: PagerLimits
    /// The places that pages have loaded.
    package private(set) var loadedRanges = LoadedRangeSet()
    /// The rows in memory, by place.
    package private(set) var records: [StoredRecord<Row>] = []
    /// The number of changes of `records`.
    package private(set) var recordsRevision = 0
    /// The places whose rows are in memory.
    package private(set) var bufferedRange = 0..<0
    /// The loaded ranges when the rows in memory were read: their places without a row in memory are empty.
    private var readRanges = LoadedRangeSet()
    /// The error of the last fetch in each direction.
    package private(set) var failures: [PageDirection: any Error] = [:]
    /// The error of the last read.
    package private(set) var readFailure: (any Error)?
    private var fetches: [PageDirection: PageFetch] = [:]
    private var pendingRead: PendingRead?
    private var visibleRange = 0..<0
    private var isOpen = false
    /// Whether a refresh was requested before the list was opened.
    private var needsRefresh = false
    private var needsReload = false
    private var lastNumber = 0
    /// The number of completed fetches.
    package private(set) var completedFetchCount = 0

    package init(paging: any Paging, limits: PagerLimits = PagerLimits()) {
        self.paging = paging
        self.limits = limits
    }

    /// The directions in which a page is being fetched.
    package var fetching: Set<PageDirection> { Set(fetches.keys) }

    package mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .opened(let ranges): open(ranges, &effects)
        case .visibleRange(let places): visibleRange = limits.visiblePlaces(in: places)
        case .refresh: refresh(&effects)
        case .retry: retry(&effects)
        case .fetched(let number, let range): completeFetch(number, range, &effects)
        case .dropped(let number): if removeFetch(number) != nil { effects.append(.update) }
        case .failed(let number, let error):
            guard let fetch = removeFetch(number) else { return }
            failures[fetch.direction] = error
            effects.append(.update)
        case .cancelled(let number): repeatFetch(number, &effects)
        case .read(let number, let records): completeRead(number, records, &effects)
        case .readFailed(let number, let error):
            guard pendingRead?.number == number else { return }
            // The failed rows are read again after a retry or a change.
            (pendingRead, readFailure, needsReload) = (nil, error, true)
            return effects.append(.update)
        case .changed(let ranges): (loadedRanges, needsReload, readFailure) = (LoadedRangeSet(ranges), true, nil)
        case .localChanges(let ids):
            guard pendingRead != nil || readFailure != nil || records.contains(where: { ids.contains($0.id) }) else { return }
            (needsReload, readFailure) = (true, nil)
        }
        guard isOpen else { return }
        planReading(&effects)
        planFetching(&effects)
    }
}

// MARK: - Pages

extension Pager {
    private mutating func open(_ ranges: [LoadedRange], _ effects: inout [Effect]) {
        (loadedRanges, isOpen) = (LoadedRangeSet(ranges), true)
        if visibleRange.isEmpty { visibleRange = 0..<1 }
        if ranges.isEmpty || needsRefresh { refresh(&effects) }
        needsRefresh = false
    }

    /// Cancels all fetches and starts a new generation, once that of the store is known.
    private mutating func refresh(_ effects: inout [Effect]) {
        guard isOpen else { return needsRefresh = true }
        for fetch in fetches.values.sorted(by: { $0.number < $1.number }) { effects.append(.cancel(fetch.number)) }
        (fetches, failures) = ([:], [:])
        startFetch(.refresh, paging.first, at: .start(0), for: loadedRanges.newestGeneration + 1, &effects)
    }

    /// Clears the failures, which permits their fetches and reads again; only a refresh is started explicitly.
    private mutating func retry(_ effects: inout [Effect]) {
        let failed = failures
        guard !failed.isEmpty || readFailure != nil else { return }
        (failures, readFailure) = ([:], nil)
        effects.append(.update)
        if failed[.refresh] != nil { refresh(&effects) }
    }

    private mutating func completeFetch(_ number: Int, _ range: LoadedRange, _ effects: inout [Effect]) {
        guard let fetch = removeFetch(number) else { return }
        failures[fetch.direction] = nil
        completedFetchCount += 1
        loadedRanges.add(range)
        effects.append(.update)
    }

    /// Repeats a fetch that others have cancelled, once: the next one could be cancelled at once, too, and counts as failed.
    private mutating func repeatFetch(_ number: Int, _ effects: inout [Effect]) {
        guard var fetch = removeFetch(number) else { return }
        effects.append(.update)
        guard !fetch.isRepeated else { return failures[fetch.direction] = CancellationError() }
        (fetch.number, fetch.isRepeated) = (nextNumber(), true)
        fetches[fetch.direction] = fetch
        effects.append(.fetch(fetch))
    }

    /// Removes and returns a fetch; nil if it is unknown.
    private mutating func removeFetch(_ number: Int) -> PageFetch? {
        guard let fetch = fetches.values.first(where: { $0.number == number }) else { return nil }
        fetches[fetch.direction] = nil
        return fetch
    }

    /// Fetches the pages beside the loaded ranges near the view, and the page at the view.
    private mutating func planFetching(_ effects: inout [Effect]) {
        guard canFetchBesidesRefresh else { return }
        let (newest, prefetchRange) = (loadedRanges.newestGeneration, self.prefetchRange)
        for (index, range) in loadedRanges.ranges.enumerated() {
            if let key = range.next, prefetchRange.contains(range.places.upperBound), needsPage(between: index, and: index + 1) {
                startFetch(.append, key, at: .start(range.places.upperBound), for: newest, &effects)
            }
            if let key = range.previous, prefetchRange.contains(range.places.lowerBound), needsPage(between: index, and: index - 1) {
                startFetch(.prepend, key, at: .end(range.places.lowerBound), for: newest, &effects)
            }
        }
        planSeek(for: newest, &effects)
    }

    /// Whether other pages than the first may be fetched: not during a refresh, nor if it failed for a list without pages.
    private var canFetchBesidesRefresh: Bool {
        let hasFailedWithoutPages = failures[.refresh] != nil && loadedRanges.ranges.isEmpty
        return !visibleRange.isEmpty && fetches[.refresh] == nil && !hasFailedWithoutPages
    }

    /// Whether the places between a range and its neighbour are missing or the neighbour is older; true without a neighbour.
    private func needsPage(between index: Int, and neighbour: Int) -> Bool {
        guard loadedRanges.ranges.indices.contains(neighbour) else { return true }
        let (range, other) = (loadedRanges.ranges[index], loadedRanges.ranges[neighbour])
        let touches = range.places.upperBound == other.places.lowerBound || other.places.upperBound == range.places.lowerBound
        return !touches || other.generation < range.generation
    }

    /// Fetches the page at the middle of the view, unless it is in a loaded range of the newest refresh or adjoins one.
    private mutating func planSeek(for generation: Int, _ effects: inout [Effect]) {
        let middle = (visibleRange.lowerBound + visibleRange.upperBound) / 2
        let isLoaded = loadedRanges.ranges.contains { range in
            // The rows and the end that an older refresh has found may have changed.
            guard range.generation == generation else { return false }
            return range.places.contains(middle) || range.isBeyondEnd(middle)
                || range.isAdjacent(to: middle, within: limits.prefetchDistance)
        }
        guard middle >= 0, !isLoaded, let key = paging.key(containing: middle), let start = paging.place(of: key) else { return }
        startFetch(.seek, key, at: .start(start), for: max(1, generation), &effects)
    }

    /// Starts a fetch, unless its direction is busy or has failed, or its page is being fetched.
    private mutating func startFetch(
        _ direction: PageDirection, _ key: PageKey, at anchor: PageFetch.Anchor, for generation: Int, _ effects: inout [Effect]
    ) {
        guard fetches[direction] == nil, failures[direction] == nil, !fetches.values.contains(where: { $0.key == key }) else { return }
        // The place in a key takes precedence over the place that adjoins the range.
        let anchor = paging.place(of: key).map { PageFetch.Anchor.start($0) } ?? anchor
        let fetch = PageFetch(number: nextNumber(), direction: direction, generation: generation, key: key, anchor: anchor)
        fetches[direction] = fetch
        effects += [.fetch(fetch), .update]
    }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: - Rows

extension Pager {
    private mutating func completeRead(_ number: Int, _ found: [StoredRecord<Row>], _ effects: inout [Effect]) {
        guard let pendingRead, pendingRead.number == number else { return }
        self.pendingRead = nil
        readFailure = nil
        if pendingRead.replacesAll {
            (bufferedRange, records, readRanges) = (pendingRead.places, found, pendingRead.loadedRanges)
        } else if pendingRead.places.lowerBound == bufferedRange.upperBound {
            (bufferedRange, records) = (bufferedRange.lowerBound..<pendingRead.places.upperBound, records + found)
        } else {
            (bufferedRange, records) = (pendingRead.places.lowerBound..<bufferedRange.upperBound, found + records)
        }
        trim()
        recordsRevision += 1
        effects.append(.update)
    }

    /// Evicts the rows that are farthest from the visible range.
    private mutating func trim() {
        guard bufferedRange.count > limits.bufferLimit else { return }
        let view = viewRange
        let (before, after) = (view.lowerBound - bufferedRange.lowerBound, bufferedRange.upperBound - view.upperBound)
        bufferedRange =
            before > after
            ? bufferedRange.upperBound - limits.bufferLimit..<bufferedRange.upperBound
            : bufferedRange.lowerBound..<bufferedRange.lowerBound + limits.bufferLimit
        records = records.filter { bufferedRange.contains($0.place) }
    }

    /// Reads the rows of the view that are not in memory, or all rows in memory after a change.
    private mutating func planReading(_ effects: inout [Effect]) {
        guard pendingRead == nil, readFailure == nil, let target = targetRange else { return }
        if bufferedRange.isEmpty || !bufferedRange.overlaps(target) {
            needsReload = false
            startRead(target, replacesAll: true, &effects)
        } else if needsReload {
            needsReload = false
            startRead(bufferedRange, replacesAll: true, &effects)
        } else if target.upperBound > bufferedRange.upperBound {
            startRead(bufferedRange.upperBound..<target.upperBound + limits.prefetchDistance, replacesAll: false, &effects)
        } else if target.lowerBound < bufferedRange.lowerBound {
            startRead(target.lowerBound - limits.prefetchDistance..<bufferedRange.lowerBound, replacesAll: false, &effects)
        }
    }

    private mutating func startRead(_ places: Range<Int>, replacesAll: Bool, _ effects: inout [Effect]) {
        let read = PendingRead(number: nextNumber(), places: places, replacesAll: replacesAll, loadedRanges: loadedRanges)
        pendingRead = read
        effects.append(.read(read.number, places))
    }

    /// The visible range with the prefetch distance on each side, and with the empty places beside it.
    private var prefetchRange: Range<Int> {
        let view = viewRange
        return view.lowerBound - limits.prefetchDistance..<view.upperBound + limits.prefetchDistance
    }

    /// The visible range with the empty places beside it, at most `emptyPlaceLimit` and `visibleLimit` places.
    ///
    /// A view cannot scroll to empty places. If rows that moved on the server leave more of them than the prefetch distance, the pages and rows
    /// beyond them would otherwise not be loaded.
    private var viewRange: Range<Int> {
        guard !visibleRange.isEmpty else { return visibleRange }
        let room = min(Self.emptyPlaceLimit, limits.visibleLimit - visibleRange.count)
        let end = min(endOfEmptyPlaces(from: visibleRange.upperBound), visibleRange.upperBound + room)
        let roomBefore = room - (end - visibleRange.upperBound)
        return max(startOfEmptyPlaces(before: visibleRange.lowerBound), visibleRange.lowerBound - roomBefore)..<end
    }

    /// Returns the end of the empty places that start at a place.
    private func endOfEmptyPlaces(from place: Int) -> Int {
        guard bufferedRange.contains(place) else { return place }
        let loadedEnd = readRanges.ranges.reduce(place) { $1.places.contains($0) ? $1.places.upperBound : $0 }
        let nextRow = records.first { $0.place >= place }?.place ?? .max
        return min(loadedEnd, nextRow, bufferedRange.upperBound)
    }

    /// Returns the start of the empty places that end before a place.
    private func startOfEmptyPlaces(before place: Int) -> Int {
        guard bufferedRange.contains(place - 1) else { return place }
        let loadedStart = readRanges.ranges.reversed().reduce(place) { $1.places.contains($0 - 1) ? $1.places.lowerBound : $0 }
        let afterRow = records.last { $0.place < place }.map { $0.place + 1 } ?? .min
        return max(loadedStart, afterRow, bufferedRange.lowerBound)
    }

    /// The prefetch range between the first and the last loaded place; nil if it is empty.
    private var targetRange: Range<Int>? {
        guard !visibleRange.isEmpty, let first = loadedRanges.ranges.first?.places.lowerBound,
            let end = loadedRanges.ranges.last?.places.upperBound
        else { return nil }
        let target = prefetchRange.clamped(to: first..<end)
        return target.isEmpty ? nil : target
    }
}

extension LoadedRange {
    fileprivate func isBeyondEnd(_ place: Int) -> Bool { isEnd && place >= places.upperBound }

    /// Whether a place is within the distance from a side of the range that has an adjacent page.
    fileprivate func isAdjacent(to place: Int, within distance: Int) -> Bool {
        next != nil && place >= places.upperBound && place - places.upperBound <= distance
            || previous != nil && place < places.lowerBound && places.lowerBound - place <= distance
    }
}
