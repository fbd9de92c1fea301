import LadingOperations

/// Decides which pages of a list are asked for and which rows are held in memory, as somebody looks at it. A synchronous value.
///
/// Rows come from the store alone; pages come from the server and go to the store. So a list is read the same way with and without a network, and a failure
/// erases nothing. Places count rows as the server does; some may be empty.
///
/// | event | effects |
/// |---|---|
/// | opened | read what is in view; when nothing was ever stored, fetch the first page |
/// | show, jump | read what is not in memory, let go of what is far away · fetch the page behind, before or around what is in view, unless one is under way in that direction, or has failed |
/// | refresh | cancel all flights, fetch the first page for a new generation |
/// | fetched, dropped | its places are covered, or were by somebody newer: go on as for show |
/// | failed | nothing, until a retry or a refresh |
/// | retry | fetch or read what has failed |
/// | changed | read again what is in memory, and go on as for show |
///
/// A page of a cancelled flight, or of an older refresh, changes nothing. There is one flight in a direction, one for a page, and
/// one reading, at a time.
package struct Pager<Row: Recordable>: Decision, Sendable {
    package enum Event: Sendable {
        /// What the store has covered.
        case opened([PageRun])
        /// These places are in view.
        case show(Range<Int>)
        /// This place is wanted in view, whether or not anything is known of it.
        case jump(to: Int)
        case refresh
        case retry
        /// A page was stored.
        case fetched(Int, PageRun)
        /// A page was not stored, because a newer refresh had been there.
        case dropped(Int)
        /// A page could not be fetched or stored.
        case failed(Int, any Error)
        /// Rows were read from the store.
        case read(Int, [StoredRecord<Row>])
        /// Rows could not be read.
        case unread(Int, any Error)
        /// The store was changed by whomever, and has this covered.
        case changed([PageRun])
    }

    package enum Effect: Hashable, Sendable {
        case fetch(PageFlight)
        case cancel(Int)
        /// Read the rows in these places.
        case read(Int, Range<Int>)
        /// What is shown is another now.
        case update
    }

    private struct Reading: Sendable {
        var number: Int
        var places: Range<Int>
        /// Whether what it brings takes the place of all that is in memory.
        var isWhole: Bool
    }

    /// The bounds of a pager.
    package struct Limits: Sendable {
        /// How many places beyond those in view are made ready.
        package var reach: Int
        /// How many places are held in memory.
        package var kept: Int

        package init(reach: Int = 40, kept: Int = 400) {
            self.reach = max(1, reach)
            self.kept = max(4 * self.reach, kept)
        }

        /// How many places count as in view.
        var view: Int { kept - 3 * reach }
    }

    package let paging: any Paging
    package let limits: Limits
    /// Which places are covered.
    package private(set) var coverage = PageCoverage()
    /// The rows in memory, by place.
    package private(set) var records: [StoredRecord<Row>] = []
    /// The places whose rows are in memory.
    package private(set) var window = 0..<0
    /// What kept the last fetch in a direction from success.
    package private(set) var failures: [PageDirection: any Error] = [:]
    /// What kept the last reading from success.
    package private(set) var readFailure: (any Error)?
    private var flights: [PageDirection: PageFlight] = [:]
    private var reading: Reading?
    private var view = 0..<0
    private var isOpen = false
    private var isOutdated = false
    private var lastNumber = 0

    package init(paging: any Paging, limits: Limits = Limits()) {
        self.paging = paging
        self.limits = limits
    }

    /// The directions in which a page is under way.
    package var fetching: Set<PageDirection> { Set(flights.keys) }

    package mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .opened(let runs): open(runs, &effects)
        case .show(let places): view = places.shortened(to: limits.view)
        case .jump(let place): view = place..<place + 1
        case .refresh: refresh(&effects)
        case .retry: retry(&effects)
        case .fetched(let number, let run): fetched(number, run, &effects)
        case .dropped(let number): if end(number) != nil { effects.append(.update) }
        case .failed(let number, let error):
            guard let direction = end(number) else { return }
            failures[direction] = error
            effects.append(.update)
        case .read(let number, let records): read(number, records, &effects)
        case .unread(let number, let error):
            guard reading?.number == number else { return }
            // Whatever it was to bring is read again, once somebody says so.
            (reading, readFailure, isOutdated) = (nil, error, true)
            return effects.append(.update)
        case .changed(let runs): (coverage, isOutdated, readFailure) = (PageCoverage(runs), true, nil)
        }
        guard isOpen else { return }
        planReading(&effects)
        planFetching(&effects)
    }
}

// MARK: - Pages

extension Pager {
    private mutating func open(_ runs: [PageRun], _ effects: inout [Effect]) {
        (coverage, isOpen) = (PageCoverage(runs), true)
        if view.isEmpty { view = 0..<1 }
        if runs.isEmpty { refresh(&effects) }
    }

    /// What is under way belongs to the past from now on.
    private mutating func refresh(_ effects: inout [Effect]) {
        for flight in flights.values.sorted(by: { $0.number < $1.number }) { effects.append(.cancel(flight.number)) }
        (flights, failures) = ([:], [:])
        fetch(.refresh, paging.first, at: .start(0), for: coverage.newestGeneration + 1, &effects)
    }

    private mutating func retry(_ effects: inout [Effect]) {
        let failed = failures
        guard !failed.isEmpty || readFailure != nil else { return }
        (failures, readFailure) = ([:], nil)
        effects.append(.update)
        if failed[.refresh] != nil { refresh(&effects) }
    }

    private mutating func fetched(_ number: Int, _ run: PageRun, _ effects: inout [Effect]) {
        guard let direction = end(number) else { return }
        failures[direction] = nil
        coverage.add(run)
        effects.append(.update)
    }

    /// Forgets a flight; nil when it is not known any more.
    private mutating func end(_ number: Int) -> PageDirection? {
        guard let flight = flights.values.first(where: { $0.number == number }) else { return nil }
        flights[flight.direction] = nil
        return flight.direction
    }

    private mutating func planFetching(_ effects: inout [Effect]) {
        guard !view.isEmpty, flights[.refresh] == nil, failures[.refresh] == nil || !coverage.runs.isEmpty else { return }
        let sight = view.lowerBound - limits.reach..<view.upperBound + limits.reach
        let newest = coverage.newestGeneration
        for (index, run) in coverage.runs.enumerated() {
            if let key = run.next, sight.contains(run.places.upperBound), index + 1 == coverage.runs.count || needsMore(index, index + 1) {
                fetch(.append, key, at: .start(run.places.upperBound), for: newest, &effects)
            }
            if let key = run.previous, sight.contains(run.places.lowerBound), index == 0 || needsMore(index, index - 1) {
                fetch(.prepend, key, at: .end(run.places.lowerBound), for: newest, &effects)
            }
        }
        planJump(for: newest, &effects)
    }

    /// Whether a run has more to say about the places behind it, towards another: they are empty, or older.
    private func needsMore(_ index: Int, _ neighbour: Int) -> Bool {
        let (run, other) = (coverage.runs[index], coverage.runs[neighbour])
        let touches = run.places.upperBound == other.places.lowerBound || other.places.upperBound == run.places.lowerBound
        return !touches || other.generation < run.generation
    }

    /// When nothing is known of what is in view, and nothing that is known leads there.
    private mutating func planJump(for generation: Int, _ effects: inout [Effect]) {
        let middle = (view.lowerBound + view.upperBound) / 2
        guard middle >= 0,
            !coverage.runs.contains(where: { $0.places.contains(middle) || $0.isPast(middle) || $0.leads(to: middle, limits.reach) }),
            let key = paging.key(holding: middle), let start = paging.place(of: key)
        else { return }
        fetch(.jump, key, at: .start(start), for: max(1, generation), &effects)
    }

    private mutating func fetch(
        _ direction: PageDirection, _ key: PageKey, at anchor: PageFlight.Anchor, for generation: Int, _ effects: inout [Effect]
    ) {
        guard flights[direction] == nil, failures[direction] == nil, !flights.values.contains(where: { $0.key == key }) else { return }
        // A key that tells where its page lies knows best.
        let anchor = paging.place(of: key).map { PageFlight.Anchor.start($0) } ?? anchor
        let flight = PageFlight(number: next(), direction: direction, generation: generation, key: key, anchor: anchor)
        flights[direction] = flight
        effects += [.fetch(flight), .update]
    }

    private mutating func next() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: - Rows

extension Pager {
    private mutating func read(_ number: Int, _ found: [StoredRecord<Row>], _ effects: inout [Effect]) {
        guard let reading, reading.number == number else { return }
        self.reading = nil
        readFailure = nil
        if reading.isWhole {
            (window, records) = (reading.places, found)
        } else if reading.places.lowerBound == window.upperBound {
            (window, records) = (window.lowerBound..<reading.places.upperBound, records + found)
        } else {
            (window, records) = (reading.places.lowerBound..<window.upperBound, found + records)
        }
        trim()
        effects.append(.update)
    }

    /// Lets go of what is farthest from the view.
    private mutating func trim() {
        guard window.count > limits.kept else { return }
        let (before, behind) = (view.lowerBound - window.lowerBound, window.upperBound - view.upperBound)
        window = before > behind ? window.upperBound - limits.kept..<window.upperBound : window.lowerBound..<window.lowerBound + limits.kept
        records = records.filter { window.contains($0.place) }
    }

    private mutating func planReading(_ effects: inout [Effect]) {
        guard reading == nil, readFailure == nil, let wanted = wantedPlaces else { return }
        if window.isEmpty || !window.overlaps(wanted) {
            isOutdated = false
            read(wanted, isWhole: true, &effects)
        } else if isOutdated {
            isOutdated = false
            read(window, isWhole: true, &effects)
        } else if wanted.upperBound > window.upperBound {
            read(window.upperBound..<wanted.upperBound + limits.reach, isWhole: false, &effects)
        } else if wanted.lowerBound < window.lowerBound {
            read(wanted.lowerBound - limits.reach..<window.lowerBound, isWhole: false, &effects)
        }
    }

    private mutating func read(_ places: Range<Int>, isWhole: Bool, _ effects: inout [Effect]) {
        let reading = Reading(number: next(), places: places, isWhole: isWhole)
        self.reading = reading
        effects.append(.read(reading.number, places))
    }

    /// What is in view and a little more, as far as the store has anything; nil when it has nothing there.
    private var wantedPlaces: Range<Int>? {
        guard !view.isEmpty, let first = coverage.runs.first?.places.lowerBound, let last = coverage.runs.last?.places.upperBound else {
            return nil
        }
        let wanted = (view.lowerBound - limits.reach..<view.upperBound + limits.reach).clamped(to: first..<last)
        return wanted.isEmpty ? nil : wanted
    }
}

// MARK: - What is shown

extension Pager {
    /// What stands in some places, without those that stay empty.
    package func slots(in places: Range<Int>) -> [PageSlot<Row>] {
        let end = coverage.runs.last?.places.upperBound ?? 0
        var known = records[...].drop { $0.place < places.lowerBound }
        return places.clamped(to: min(places.lowerBound, end)..<end).compactMap { place in
            if let record = known.first, record.place == place {
                known.removeFirst()
                return .row(record)
            }
            let isEmpty = window.contains(place) && coverage.runs.contains { $0.places.contains(place) }
            return isEmpty ? nil : .placeholder(place)
        }
    }

    /// Whether the list is known to end behind what is covered.
    package var isComplete: Bool { coverage.runs.last?.isEnd ?? false }
}

/// What a list shows in one place.
public enum PageSlot<Row: Recordable>: Sendable {
    case row(StoredRecord<Row>)
    /// A row is expected here.
    case placeholder(Int)
}

extension PageRun {
    fileprivate func isPast(_ place: Int) -> Bool { isEnd && place >= places.upperBound }

    /// Whether the page behind or before the run, or one near it, holds a place.
    fileprivate func leads(to place: Int, _ reach: Int) -> Bool {
        next != nil && place >= places.upperBound && place - places.upperBound <= reach
            || previous != nil && place < places.lowerBound && places.lowerBound - place <= reach
    }
}

extension Range<Int> {
    /// As many of the first as there may be.
    fileprivate func shortened(to limit: Int) -> Range { lowerBound..<Swift.min(upperBound, lowerBound + limit) }
}
