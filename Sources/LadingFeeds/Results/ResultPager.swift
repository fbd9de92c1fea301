import LadingOperations

/// Decides which of the rows that a query finds are held in memory, as somebody looks at them. A synchronous value.
///
/// | event | effects |
/// |---|---|
/// | open | count the rows, read what is in view |
/// | show | read what is not in memory, let go of what is far away |
/// | ask | cancel what is under way, count and read from the first row; what the query before has found stays until then |
/// | read, counted | go on as for show |
/// | failed | nothing, until a retry, a change or another query |
/// | retry, changed | count, and read again what is in memory |
///
/// What arrives for an older query changes nothing. There is one reading and one counting at a time. Rows are read on from those that are known where that is
/// possible, because finding a place by its index is the dearer the farther it is.
package struct ResultPager<Row: Recordable>: Decision, Sendable {
    package enum Event: Sendable {
        case open
        /// These rows are in view, counted from the first that the query finds.
        case visibleRange(Range<Int>)
        case query(RecordQuery)
        case retry
        /// The store was changed by whomever.
        case changed
        /// Rows were read from the store.
        case read(Int, RecordSlice<Row>)
        /// The rows were counted.
        case counted(Int, Int)
        /// Rows could not be read or counted.
        case failed(Int, any Error)
    }

    package enum Effect: Hashable, Sendable {
        case read(Int, RecordQuery, ResultCursor, limit: Int)
        case count(Int, RecordQuery)
        case cancel(Int)
        /// What is shown is another now.
        case update
    }

    private enum ReadKind { case replace, append, prepend }

    private struct PendingRead: Sendable {
        var number: Int
        var kind: ReadKind
        var first: Int
        var limit: Int
    }

    /// What is asked for.
    package private(set) var query: RecordQuery
    /// How many rows it finds; nil until they are counted.
    package private(set) var count: Int?
    /// Whether the rows in memory were found by `query`, and not by the one before.
    package private(set) var isCurrent = false
    /// What kept the last reading or counting from success.
    package private(set) var failure: (any Error)?
    /// The rows in memory, in the order of the query.
    package private(set) var records: [StoredRecord<Row>] = []
    /// Where the first of them stands.
    private var first = 0
    /// No row is here or behind, as far as readings have shown.
    private var knownEnd = Int.max
    private let limits: Pager<Row>.Limits
    private var visibleRange = 0..<1
    private var pendingRead: PendingRead?
    private var pendingCount: Int?
    private var isOpen = false
    private var needsRead = false
    private var needsCount = true
    private var lastNumber = 0

    package init(_ query: RecordQuery, limits: Pager<Row>.Limits = .init()) {
        self.query = query
        self.limits = limits
    }

    /// Whether all that is wanted has been read and counted since the last change that is known.
    package var isUpToDate: Bool { pendingRead == nil && pendingCount == nil && !needsRead && !needsCount }

    /// The places of the rows in memory.
    package var bufferedRange: Range<Int> { first..<first + records.count }

    package mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .open: isOpen = true
        case .visibleRange(let places): visibleRange = max(0, places.lowerBound)..<max(0, min(places.upperBound, places.lowerBound + limits.visibleLimit))
        case .query(let query): setQuery(query, &effects)
        case .retry: if failure != nil { invalidate() }
        case .changed: invalidate()
        case .read(let number, let slice):
            guard let pendingRead, pendingRead.number == number else { return }
            apply(slice, for: pendingRead)
            effects.append(.update)
        case .counted(let number, let count):
            guard pendingCount == number else { return }
            (pendingCount, self.count) = (nil, count)
            effects.append(.update)
        case .failed(let number, let error):
            guard removePending(number) else { return }
            failure = error
            return effects.append(.update)
        }
        guard isOpen, failure == nil else { return }
        planCounting(&effects)
        planReading(&effects)
    }

    /// The row at an index; nil when it is not in memory.
    package func record(at index: Int) -> StoredRecord<Row>? {
        bufferedRange.contains(index) ? records[index - first] : nil
    }
}

// MARK: - What happened

extension ResultPager {
    private mutating func setQuery(_ query: RecordQuery, _ effects: inout [Effect]) {
        guard query != self.query else { return }
        for number in [pendingRead?.number, pendingCount].compactMap(\.self) { effects.append(.cancel(number)) }
        (pendingRead, pendingCount, count) = (nil, nil, nil)
        (self.query, isCurrent) = (query, false)
        visibleRange = 0..<max(1, visibleRange.count)
        invalidate()
    }

    private mutating func invalidate() {
        (failure, knownEnd) = (nil, .max)
        (needsRead, needsCount) = (true, true)
    }

    private mutating func removePending(_ number: Int) -> Bool {
        if pendingRead?.number == number { pendingRead = nil } else if pendingCount == number { pendingCount = nil } else { return false }
        // Whatever failed is done again, once somebody says so.
        (needsRead, needsCount) = (true, true)
        return true
    }

    private mutating func apply(_ slice: RecordSlice<Row>, for reading: PendingRead) {
        self.pendingRead = nil
        let found = slice.records
        switch reading.kind {
        case .replace: (first, records, isCurrent) = (reading.first, found, true)
        case .append: records += found
        case .prepend:
            // Rows have gone that were in front of these: only the store knows where they stand now.
            if found.count + slice.unreadable < reading.limit { needsRead = true }
            (first, records) = (needsRead ? first - found.count : reading.first, found + records)
        }
        // What has changed since it was read may have put rows behind what was its end.
        let isShort = found.isEmpty || found.count + slice.unreadable < reading.limit
        if isShort, reading.kind != .prepend, !needsRead { knownEnd = bufferedRange.upperBound }
        trim()
    }

    /// Lets go of what is farthest from the view.
    private mutating func trim() {
        let surplus = records.count - limits.bufferLimit
        guard surplus > 0 else { return }
        if visibleRange.lowerBound - first > bufferedRange.upperBound - visibleRange.upperBound {
            records.removeFirst(surplus)
            first += surplus
        } else {
            records.removeLast(surplus)
        }
    }
}

// MARK: - What is to be done

extension ResultPager {
    private mutating func planCounting(_ effects: inout [Effect]) {
        guard needsCount, pendingCount == nil else { return }
        needsCount = false
        let number = next()
        pendingCount = number
        effects.append(.count(number, query))
    }

    private mutating func planReading(_ effects: inout [Effect]) {
        guard pendingRead == nil, let wanted = wantedRange else { return }
        if !isCurrent || !bufferedRange.overlaps(wanted) {
            needsRead = false
            read(.replace, from: .index(wanted.lowerBound), first: wanted.lowerBound, limit: wanted.count, &effects)
        } else if needsRead {
            needsRead = false
            read(.replace, from: .index(first), first: first, limit: records.count, &effects)
        } else if wanted.upperBound > bufferedRange.upperBound, let last = records.last {
            let limit = wanted.upperBound + limits.prefetchDistance - bufferedRange.upperBound
            read(.append, from: .after(last.position), first: bufferedRange.upperBound, limit: limit, &effects)
        } else if wanted.lowerBound < first, let record = records.first {
            let limit = min(first, first - wanted.lowerBound + limits.prefetchDistance)
            read(.prepend, from: .before(record.position), first: first - limit, limit: limit, &effects)
        }
    }

    private mutating func read(_ side: ReadKind, from start: ResultCursor, first: Int, limit: Int, _ effects: inout [Effect]) {
        let number = next()
        pendingRead = PendingRead(number: number, kind: side, first: first, limit: limit)
        effects.append(.read(number, query, start, limit: limit))
    }

    /// What is in view and a little more; nil when no row is there.
    private var wantedRange: Range<Int>? {
        let wanted = (max(0, visibleRange.lowerBound - limits.prefetchDistance)..<visibleRange.upperBound + limits.prefetchDistance).clamped(to: 0..<knownEnd)
        return wanted.isEmpty ? nil : wanted
    }

    private mutating func next() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
