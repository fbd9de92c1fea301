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

        /// Creates a state, for tests and previews.
        public init(query: RecordQuery, isCurrent: Bool, count: Int?, isUpToDate: Bool, failure: (any Error)? = nil) {
            (self.query, self.isCurrent, self.count) = (query, isCurrent, count)
            (self.isUpToDate, self.failure) = (isUpToDate, failure)
        }
    }

    /// An element for each change of the results; for one reader. It ends with `close()`.
    public let updates: ListUpdates
    private let store: any RecordStore<Row>
    private let tasks: PagerTasks<ResultPager<Row>>

    /// Creates results, which are empty until they are opened.
    ///
    /// - Parameters:
    ///   - prefetchDistance: The number of rows on each side of the visible ones that are read ahead.
    ///   - bufferLimit: The maximum number of rows in memory.
    public init(store: any RecordStore<Row>, query: RecordQuery, prefetchDistance: Int = 40, bufferLimit: Int = 400) {
        self.store = store
        let pager = ResultPager<Row>(query, limits: .init(prefetchDistance: prefetchDistance, bufferLimit: bufferLimit))
        tasks = PagerTasks(pager) { effect in
            switch effect {
            case .read(let number, let query, let start, let limit):
                .run(number) { [await Self.event(number) { .read(number, try await store.allRecords(query, from: start, limit: limit)) }] }
            case .readLocalChanges(let number, let ids):
                .run(number) { [await Self.event(number) { .read(number, try await store.records(of: ids)) }] }
            case .count(let number, let query):
                .run(number) { [await Self.event(number) { .counted(number, try await store.count(query)) }] }
            case .cancel(let number): .cancel(number)
            case .update: .update
            }
        }
        updates = tasks.updates
    }

    /// Returns the result of a read or a count, or its failure.
    private static func event(
        _ number: Int, _ read: () async throws -> ResultPager<Row>.Event
    ) async -> ResultPager<Row>.Event {
        do { return try await read() } catch { return .failed(number, error) }
    }

    deinit { close() }

    /// Starts reading and observing the store.
    public func open() {
        tasks.follow(store.changes()) { change in
            guard let rows = change.locallyChangedRows else { return .changed }
            return .localChanges(rows)
        }
        tasks.handle(.open)
    }

    /// Cancels all tasks and ends the updates.
    public func close() { tasks.close() }

    /// Sets the visible indices, counted from the first result.
    public func setVisibleRange(_ indices: Range<Int>) { tasks.handle(.visibleRange(indices)) }

    /// Replaces the query and moves to its first row.
    public func setQuery(_ query: RecordQuery) { tasks.handle(.query(query)) }

    /// Reads and counts again without a notification of the store.
    public func reload() { tasks.handle(.changed) }

    /// Suspends reads until `resume`, for a screen that is not visible. The rows in memory remain.
    public func pause() { tasks.handle(.paused(true)) }

    /// Reads what has changed since `pause`.
    public func resume() { tasks.handle(.paused(false)) }

    /// Retries failed reads and counts.
    public func retry() { tasks.handle(.retry) }

    /// Returns the rows at some indices, in the order of the query; nil for an expected row that is not in memory.
    ///
    /// Indices below 0 and beyond the known end are omitted: the array may be shorter than the range, and begins with the first remaining index.
    public func slots(in indices: Range<Int>) -> [StoredRecord<Row>?] {
        tasks.withPager { pager in
            let end = max(pager.count ?? 0, pager.bufferedRange.upperBound)
            return indices.clamped(to: 0..<end).map { pager.record(at: $0) }
        }
    }

    /// The query and the state of its results.
    public var state: State {
        tasks.withPager { pager in
            State(
                query: pager.query, isCurrent: pager.isCurrent, count: pager.count, isUpToDate: pager.isUpToDate,
                failure: pager.failure)
        }
    }
}
