import Decisions

/// The decisions of a list of query results: which rows are read, counted and in memory. A synchronous value.
///
/// | event | effects |
/// |---|---|
/// | open | count the rows, read the visible range |
/// | visibleRange | read missing rows, evict distant ones |
/// | query | cancel the read and the count, start both again from the first row; the previous results stay until then |
/// | read, counted | continue as for visibleRange |
/// | failed | none, until a retry, a change or another query |
/// | retry, changed | count, and read the rows in memory again |
/// | localChanges | read those of the rows in memory again; all rows after a failure |
/// | paused(true) | none, and none for other events either, until `paused(false)`; pending reads end |
///
/// Results of an older query have no effect. At any time there is at most one read and one count. Reads continue from known rows where possible,
/// because the cost of finding a row by its index grows with the index.
package struct ResultPager<Row: PersistableRow>: Decision, Sendable {
    package enum Event: Sendable {
        case open
        /// These rows are visible, counted from the first result.
        case visibleRange(Range<Int>)
        case query(RecordQuery)
        case retry
        /// The store was changed, by this screen or others.
        case changed
        /// Local changes of these rows were set or removed, which affects neither the results nor their order.
        case localChanges(Set<Row.ID>)
        /// Whether reads are suspended.
        case paused(Bool)
        /// Rows were read from the store.
        case read(Int, RecordSlice<Row>)
        /// The rows were counted.
        case counted(Int, Int)
        /// Rows could not be read or counted.
        case failed(Int, any Error)
    }

    package enum Effect: Hashable, Sendable {
        case read(Int, RecordQuery, ResultCursor, limit: Int)
        /// Read these rows for their local changes.
        case readLocalChanges(Int, [Row.ID])
        case count(Int, RecordQuery)
        case cancel(Int)
        /// Report an update to the reader.
        case update
    }

    private enum ReadKind { case replace, append, prepend, localChanges }

    private struct PendingRead: Sendable {
        var number: Int
        var kind: ReadKind
        var first: Int
        var limit: Int
    }

    /// The current query.
    package private(set) var query: RecordQuery
    /// The number of rows that the query finds; nil until they are counted.
    package private(set) var count: Int?
    /// Whether the rows in memory are results of `query`, not of the previous one.
    package private(set) var isCurrent = false
    /// The error of the last read or count.
    package private(set) var failure: (any Error)?
    /// The rows in memory, in the order of the query.
    package private(set) var records: [StoredRecord<Row>] = []
    /// The index of the first row in memory.
    private var first = 0
    /// The index after the last row, as far as reads have shown.
    private var knownEnd = Int.max
    private let limits: PagerLimits
    private var visibleRange = 0..<1
    private var pendingRead: PendingRead?
    private var pendingCount: Int?
    private var isOpen = false
    private var isPaused = false
    private var needsRead = false
    /// The rows whose local changes have changed since the pending read started.
    private var changedRows: Set<Row.ID> = []
    private var needsCount = true
    private var lastNumber = 0

    package init(_ query: RecordQuery, limits: PagerLimits = PagerLimits()) {
        self.query = query
        self.limits = limits
    }

    /// Whether the visible rows and the count have been read since the last known change.
    package var isUpToDate: Bool { pendingRead == nil && pendingCount == nil && !needsRead && !needsCount }

    /// The indices of the rows in memory.
    package var bufferedRange: Range<Int> { first..<first + records.count }

    package mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .open: isOpen = true
        case .visibleRange(let places):
            visibleRange = limits.visiblePlaces(in: places).clamped(to: 0..<Int.max)
        case .query(let query): setQuery(query, &effects)
        case .retry: if failure != nil { invalidate() }
        case .changed: invalidate()
        case .localChanges(let ids): addLocalChanges(of: ids)
        case .paused(let isPaused): self.isPaused = isPaused
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
        guard isOpen, !isPaused, failure == nil else { return }
        planCounting(&effects)
        planReading(&effects)
    }

    /// Returns the row at an index; nil if it is not in memory.
    package func record(at index: Int) -> StoredRecord<Row>? {
        bufferedRange.contains(index) ? records[index - first] : nil
    }
}

// MARK: - Events

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
        changedRows = []
    }

    private mutating func addLocalChanges(of ids: Set<Row.ID>) {
        guard failure == nil else { return invalidate() }
        // The next read of all rows has their local changes.
        guard !needsRead else { return }
        changedRows.formUnion(ids)
        if changedRows.count > RecordChange<Row.ID>.rowLimit { invalidate() }
    }

    private mutating func removePending(_ number: Int) -> Bool {
        if pendingRead?.number == number { pendingRead = nil } else if pendingCount == number { pendingCount = nil } else { return false }
        // Failed reads and counts are repeated after a retry or a change.
        (needsRead, needsCount) = (true, true)
        return true
    }

    private mutating func apply(_ slice: RecordSlice<Row>, for read: PendingRead) {
        self.pendingRead = nil
        let found = slice.records
        switch read.kind {
        case .localChanges: return applyLocalChanges(of: found)
        case .replace: (first, records, isCurrent) = (read.first, found, true)
        case .append: records += found
        case .prepend:
            // Rows before these were removed, so that their indices are known only after another read.
            if found.count + slice.unreadable < read.limit { needsRead = true }
            (first, records) = (needsRead ? first - found.count : read.first, found + records)
        }
        // After a change since the read, rows may follow the end that it found.
        let isShort = found.isEmpty || found.count + slice.unreadable < read.limit
        if isShort, read.kind != .prepend, !needsRead { knownEnd = bufferedRange.upperBound }
        trim()
    }

    /// Applies nothing else of the rows that were read: if more has changed, all rows are read next.
    private mutating func applyLocalChanges(of found: [StoredRecord<Row>]) {
        let changes = Dictionary(found.map { ($0.id, $0.localChanges) }, uniquingKeysWith: { $1 })
        for index in records.indices {
            if let changes = changes[records[index].id] { records[index].localChanges = changes }
        }
    }

    /// Evicts the rows that are farthest from the visible range.
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

// MARK: - Reads

extension ResultPager {
    private mutating func planCounting(_ effects: inout [Effect]) {
        guard needsCount, pendingCount == nil else { return }
        needsCount = false
        let number = next()
        pendingCount = number
        effects.append(.count(number, query))
    }

    private mutating func planReading(_ effects: inout [Effect]) {
        guard pendingRead == nil else { return }
        let changed = changedRows.isEmpty ? [] : records.map(\.id).filter(changedRows.contains)
        changedRows = []
        guard let target = targetRange else { return readLocalChanges(of: changed, &effects) }
        if !isCurrent || !bufferedRange.overlaps(target) {
            needsRead = false
            read(.replace, from: .index(target.lowerBound), first: target.lowerBound, limit: target.count, &effects)
        } else if needsRead {
            needsRead = false
            read(.replace, from: .index(first), first: first, limit: records.count, &effects)
        } else if !changed.isEmpty {
            readLocalChanges(of: changed, &effects)
        } else if target.upperBound > bufferedRange.upperBound, let last = records.last {
            let limit = target.upperBound + limits.prefetchDistance - bufferedRange.upperBound
            read(.append, from: .after(last.position), first: bufferedRange.upperBound, limit: limit, &effects)
        } else if target.lowerBound < first, let record = records.first {
            let limit = min(first, first - target.lowerBound + limits.prefetchDistance)
            read(.prepend, from: .before(record.position), first: first - limit, limit: limit, &effects)
        }
    }

    private mutating func read(_ kind: ReadKind, from start: ResultCursor, first: Int, limit: Int, _ effects: inout [Effect]) {
        let number = next()
        pendingRead = PendingRead(number: number, kind: kind, first: first, limit: limit)
        effects.append(.read(number, query, start, limit: limit))
    }

    private mutating func readLocalChanges(of ids: [Row.ID], _ effects: inout [Effect]) {
        guard !ids.isEmpty else { return }
        let number = next()
        pendingRead = PendingRead(number: number, kind: .localChanges, first: first, limit: ids.count)
        effects.append(.readLocalChanges(number, ids))
    }

    /// The visible range with the prefetch distance, up to the known end; nil if it is empty.
    private var targetRange: Range<Int>? {
        let target = (max(0, visibleRange.lowerBound - limits.prefetchDistance)..<visibleRange.upperBound + limits.prefetchDistance)
            .clamped(to: 0..<knownEnd)
        return target.isEmpty ? nil : target
    }

    private mutating func next() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
