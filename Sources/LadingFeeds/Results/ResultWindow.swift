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
package struct ResultWindow<Row: Recordable>: Decision, Sendable {
    package enum Event: Sendable {
        case open
        /// These rows are in view, counted from the first that the query finds.
        case show(Range<Int>)
        case ask(RecordQuery)
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
        case read(Int, RecordQuery, RecordStart, limit: Int)
        case count(Int, RecordQuery)
        case cancel(Int)
        /// What is shown is another now.
        case update
    }

    private enum Side { case whole, behind, before }

    private struct Reading: Sendable {
        var number: Int
        var side: Side
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
    private var end = Int.max
    private let limits: Pager<Row>.Limits
    private var view = 0..<1
    private var reading: Reading?
    private var counting: Int?
    private var isOpen = false
    private var isOutdated = false
    private var isMiscounted = true
    private var lastNumber = 0

    package init(_ query: RecordQuery, limits: Pager<Row>.Limits = .init()) {
        self.query = query
        self.limits = limits
    }

    /// Whether all that is wanted has been read and counted since the last change that is known.
    package var isSettled: Bool { reading == nil && counting == nil && !isOutdated && !isMiscounted }

    /// The places of the rows in memory.
    package var window: Range<Int> { first..<first + records.count }

    package mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .open: isOpen = true
        case .show(let places): view = max(0, places.lowerBound)..<max(0, min(places.upperBound, places.lowerBound + limits.view))
        case .ask(let query): ask(query, &effects)
        case .retry: if failure != nil { lookAgain() }
        case .changed: lookAgain()
        case .read(let number, let slice):
            guard let reading, reading.number == number else { return }
            take(slice, for: reading)
            effects.append(.update)
        case .counted(let number, let count):
            guard counting == number else { return }
            (counting, self.count) = (nil, count)
            effects.append(.update)
        case .failed(let number, let error):
            guard end(number) else { return }
            failure = error
            return effects.append(.update)
        }
        guard isOpen, failure == nil else { return }
        planCounting(&effects)
        planReading(&effects)
    }

    /// The row at an index; nil when it is not in memory.
    package func record(at index: Int) -> StoredRecord<Row>? {
        window.contains(index) ? records[index - first] : nil
    }
}

// MARK: - What happened

extension ResultWindow {
    private mutating func ask(_ query: RecordQuery, _ effects: inout [Effect]) {
        guard query != self.query else { return }
        for number in [reading?.number, counting].compactMap(\.self) { effects.append(.cancel(number)) }
        (reading, counting, count) = (nil, nil, nil)
        (self.query, isCurrent) = (query, false)
        view = 0..<max(1, view.count)
        lookAgain()
    }

    private mutating func lookAgain() {
        (failure, end) = (nil, .max)
        (isOutdated, isMiscounted) = (true, true)
    }

    private mutating func end(_ number: Int) -> Bool {
        if reading?.number == number { reading = nil } else if counting == number { counting = nil } else { return false }
        // Whatever failed is done again, once somebody says so.
        (isOutdated, isMiscounted) = (true, true)
        return true
    }

    private mutating func take(_ slice: RecordSlice<Row>, for reading: Reading) {
        self.reading = nil
        let found = slice.records
        switch reading.side {
        case .whole: (first, records, isCurrent) = (reading.first, found, true)
        case .behind: records += found
        case .before:
            // Rows have gone that were in front of these: only the store knows where they stand now.
            if found.count + slice.unreadable < reading.limit { isOutdated = true }
            (first, records) = (isOutdated ? first - found.count : reading.first, found + records)
        }
        // What has changed since it was read may have put rows behind what was its end.
        let isShort = found.isEmpty || found.count + slice.unreadable < reading.limit
        if isShort, reading.side != .before, !isOutdated { end = window.upperBound }
        trim()
    }

    /// Lets go of what is farthest from the view.
    private mutating func trim() {
        let surplus = records.count - limits.kept
        guard surplus > 0 else { return }
        if view.lowerBound - first > window.upperBound - view.upperBound {
            records.removeFirst(surplus)
            first += surplus
        } else {
            records.removeLast(surplus)
        }
    }
}

// MARK: - What is to be done

extension ResultWindow {
    private mutating func planCounting(_ effects: inout [Effect]) {
        guard isMiscounted, counting == nil else { return }
        isMiscounted = false
        let number = next()
        counting = number
        effects.append(.count(number, query))
    }

    private mutating func planReading(_ effects: inout [Effect]) {
        guard reading == nil, let wanted = wantedPlaces else { return }
        if !isCurrent || !window.overlaps(wanted) {
            isOutdated = false
            read(.whole, from: .index(wanted.lowerBound), first: wanted.lowerBound, limit: wanted.count, &effects)
        } else if isOutdated {
            isOutdated = false
            read(.whole, from: .index(first), first: first, limit: records.count, &effects)
        } else if wanted.upperBound > window.upperBound, let last = records.last {
            let limit = wanted.upperBound + limits.reach - window.upperBound
            read(.behind, from: .after(last.position), first: window.upperBound, limit: limit, &effects)
        } else if wanted.lowerBound < first, let record = records.first {
            let limit = min(first, first - wanted.lowerBound + limits.reach)
            read(.before, from: .before(record.position), first: first - limit, limit: limit, &effects)
        }
    }

    private mutating func read(_ side: Side, from start: RecordStart, first: Int, limit: Int, _ effects: inout [Effect]) {
        let number = next()
        reading = Reading(number: number, side: side, first: first, limit: limit)
        effects.append(.read(number, query, start, limit: limit))
    }

    /// What is in view and a little more; nil when no row is there.
    private var wantedPlaces: Range<Int>? {
        let wanted = (max(0, view.lowerBound - limits.reach)..<view.upperBound + limits.reach).clamped(to: 0..<end)
        return wanted.isEmpty ? nil : wanted
    }

    private mutating func next() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
