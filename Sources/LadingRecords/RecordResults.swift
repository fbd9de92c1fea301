import Synchronization

/// The results of a query on one screen. It reads visible rows from a store, and again when the store changes.
///
/// ```swift
/// let list = RecordResults(store: store, query: RecordQuery(search: "lamp"))
/// list.open()
/// list.setVisibleRange(0..<12)
/// for await _ in list.updates { draw(list.slots(in: 0..<12), list.state) }
/// ```
///
/// It sends no requests: a `PagedList` of the same store loads more rows, which update the results. Closing or deallocating it cancels its tasks.
public final class RecordResults<Row: PersistableRow>: Sendable {
    /// The state of the results.
    public struct State: Sendable {
        /// The current query.
        public internal(set) var query: RecordQuery
        /// Whether the rows are results of `query`; until then, those of the previous query are shown.
        public internal(set) var isCurrent: Bool
        /// The number of rows that the query finds; nil until they are counted.
        public internal(set) var count: Int?
        /// Whether the visible rows and the count have been read since the last known change.
        public internal(set) var isUpToDate: Bool
        /// The error of the last read or count. The rows shown before remain; `retry` reads again.
        public internal(set) var failure: (any Error)?
    }

    private struct MutableState: Sendable {
        var pager: ResultPager<Row>
        /// The active tasks by number.
        var tasks: [Int: Task<Void, Never>] = [:]
        var changesTask: Task<Void, Never>?
        var isClosed = false
    }

    /// An element for each change of the results; for one reader. It ends with `close()`.
    public let updates = ListUpdates()
    private let store: any RecordStore<Row>
    private let mutableState: Mutex<MutableState>

    /// Creates results, which are empty until they are opened.
    ///
    /// - Parameters:
    ///   - prefetchDistance: The number of rows on each side of the visible ones that are read ahead.
    ///   - bufferLimit: The maximum number of rows in memory.
    public init(store: any RecordStore<Row>, query: RecordQuery, prefetchDistance: Int = 40, bufferLimit: Int = 400) {
        self.store = store
        mutableState = Mutex(
            MutableState(pager: ResultPager(query, limits: .init(prefetchDistance: prefetchDistance, bufferLimit: bufferLimit))))
    }

    deinit { close() }

    /// Starts reading and observing the store.
    public func open() {
        let changes = store.changes()
        mutableState.withLock { state in
            guard !state.isClosed, state.changesTask == nil else { return }
            state.changesTask = Task { [weak self] in
                for await _ in changes { self?.handle(.changed) }
            }
        }
        handle(.open)
    }

    /// Cancels all tasks and ends the updates.
    public func close() {
        let tasks = mutableState.withLock { inside in
            inside.isClosed = true
            defer { (inside.tasks, inside.changesTask) = ([:], nil) }
            return Array(inside.tasks.values) + [inside.changesTask].compactMap(\.self)
        }
        for task in tasks { task.cancel() }
        updates.finish()
    }

    /// Sets the visible indices, counted from the first result.
    public func setVisibleRange(_ indices: Range<Int>) { handle(.visibleRange(indices)) }

    /// Replaces the query and moves to its first row.
    public func setQuery(_ query: RecordQuery) { handle(.query(query)) }

    /// Reads and counts again without a notification of the store.
    public func reload() { handle(.changed) }

    /// Retries failed reads and counts.
    public func retry() { handle(.retry) }

    /// Returns the rows at some indices, in the order of the query; nil for an expected row that is not in memory.
    public func slots(in indices: Range<Int>) -> [StoredRecord<Row>?] {
        mutableState.withLock { inside in
            let end = max(inside.pager.count ?? 0, inside.pager.bufferedRange.upperBound)
            return indices.clamped(to: 0..<end).map { inside.pager.record(at: $0) }
        }
    }

    /// The query and the state of its results.
    public var state: State {
        mutableState.withLock { inside in
            let pager = inside.pager
            return State(
                query: pager.query, isCurrent: pager.isCurrent, count: pager.count, isUpToDate: pager.isUpToDate,
                failure: pager.failure)
        }
    }
}

// MARK: - Effects

extension RecordResults {
    private func handle(_ event: ResultPager<Row>.Event, after number: Int? = nil) {
        let cancelled = mutableState.withLock { inside -> [Task<Void, Never>] in
            if let number { inside.tasks[number] = nil }
            guard !inside.isClosed else { return [] }
            var effects: [ResultPager<Row>.Effect] = []
            inside.pager.handle(event, effects: &effects)
            return effects.compactMap { perform($0, &inside) }
        }
        for task in cancelled { task.cancel() }
    }

    /// Performs an effect; returns the task to cancel after unlocking.
    private func perform(_ effect: ResultPager<Row>.Effect, _ inside: inout MutableState) -> Task<Void, Never>? {
        switch effect {
        case .read(let number, let query, let start, let limit):
            startTask(number, &inside) { .read(number, try await $0.records(query, from: start, limit: limit)) }
        case .count(let number, let query):
            startTask(number, &inside) { .counted(number, try await $0.count(query)) }
        case .cancel(let number): return inside.tasks.removeValue(forKey: number)
        case .update: updates.post()
        }
        return nil
    }

    private func startTask(
        _ number: Int, _ inside: inout MutableState,
        _ work: @escaping @Sendable (any RecordStore<Row>) async throws -> ResultPager<Row>.Event
    ) {
        inside.tasks[number] = Task { [weak self, store] in
            let event: ResultPager<Row>.Event
            do { event = try await work(store) } catch { event = .failed(number, error) }
            self?.handle(event, after: number)
        }
    }
}
