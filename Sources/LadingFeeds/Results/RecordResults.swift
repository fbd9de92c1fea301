import LadingOperations
import Synchronization

/// What a query finds among all that is stored, on one screen. It reads the rows in view, and looks again when the store changes.
///
/// ```swift
/// let list = RecordResults(store: store, query: RecordQuery(search: "lamp"))
/// list.open()
/// list.show(0..<12)
/// for await _ in list.updates { draw(list.slots(in: 0..<12), list.state) }
/// ```
///
/// It asks no server: a `PagedList` over the same store brings more rows, and this list is told. It ends what it has begun when it is closed or let go of.
public final class RecordResults<Row: Recordable>: Sendable {
    /// How far a list is.
    public struct State: Sendable {
        /// What is asked for.
        public var query: RecordQuery
        /// Whether the rows are those that it finds; until then, those that the query before it has found are shown.
        public var isCurrent: Bool
        /// How many rows the query finds; nil until they are counted.
        public var count: Int?
        /// Whether all that is wanted has been read and counted since the last change that is known.
        public var isUpToDate: Bool
        /// What kept rows from being read or counted. What was shown before is still shown; `retry` tries again.
        public var failure: (any Error)?
    }

    private struct MutableState: Sendable {
        var pager: ResultPager<Row>
        /// What was begun, by its number.
        var tasks: [Int: Task<Void, Never>] = [:]
        var changesTask: Task<Void, Never>?
        var isClosed = false
    }

    /// Says that the list looks different now; for one reader.
    public let updates: AsyncStream<Void>
    private let updateContinuation: AsyncStream<Void>.Continuation
    private let store: any RecordStore<Row>
    private let mutableState: Mutex<MutableState>

    /// - Parameters:
    ///   - reach: How many rows beyond those in view are made ready.
    ///   - kept: How many rows are held in memory, however far one scrolls.
    public init(store: any RecordStore<Row>, query: RecordQuery, prefetchDistance: Int = 40, bufferLimit: Int = 400) {
        self.store = store
        (updates, updateContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        mutableState = Mutex(MutableState(pager: ResultPager(query, limits: .init(prefetchDistance: prefetchDistance, bufferLimit: bufferLimit))))
    }

    deinit { close() }

    /// Begins.
    public func open() {
        let changes = store.changes()
        mutableState.withLock { inside in
            guard !inside.isClosed, inside.changesTask == nil else { return }
            inside.changesTask = Task { [weak self] in
                for await _ in changes { self?.handle(.changed) }
            }
        }
        handle(.open)
    }

    /// Ends what is under way. Nothing is shown anew after that.
    public func close() {
        let tasks = mutableState.withLock { inside in
            inside.isClosed = true
            defer { (inside.tasks, inside.changesTask) = ([:], nil) }
            return Array(inside.tasks.values) + [inside.changesTask].compactMap(\.self)
        }
        for task in tasks { task.cancel() }
        updateContinuation.finish()
    }

    /// These rows are in view, counted from the first that the query finds.
    public func setVisibleRange(_ indices: Range<Int>) { handle(.visibleRange(indices)) }

    /// Asks for something else, from its first row on.
    public func setQuery(_ query: RecordQuery) { handle(.query(query)) }

    /// Reads and counts again, without waiting to be told that the store has changed.
    public func reload() { handle(.changed) }

    /// Tries again what has failed.
    public func retry() { handle(.retry) }

    /// The rows at some indices: nil where one is expected that is not in memory.
    public func slots(in indices: Range<Int>) -> [StoredRecord<Row>?] {
        mutableState.withLock { inside in
            let end = max(inside.pager.count ?? 0, inside.pager.bufferedRange.upperBound)
            return indices.clamped(to: 0..<end).map { inside.pager.record(at: $0) }
        }
    }

    /// What is asked, and how far the answer is known.
    public var state: State {
        mutableState.withLock { inside in
            let window = inside.pager
            return State(
                query: window.query, isCurrent: window.isCurrent, count: window.count, isUpToDate: window.isUpToDate, failure: window.failure)
        }
    }
}

// MARK: - Performing

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

    /// Begins what is to be done; gives back what is to be cancelled once the lock is released.
    private func perform(_ effect: ResultPager<Row>.Effect, _ inside: inout MutableState) -> Task<Void, Never>? {
        switch effect {
        case .read(let number, let query, let start, let limit):
            startTask(number, &inside) { .read(number, try await $0.records(query, from: start, limit: limit)) }
        case .count(let number, let query):
            startTask(number, &inside) { .counted(number, try await $0.count(query)) }
        case .cancel(let number): return inside.tasks.removeValue(forKey: number)
        case .update: updateContinuation.yield()
        }
        return nil
    }

    private func startTask(
        _ number: Int, _ inside: inout MutableState, _ work: @escaping @Sendable (any RecordStore<Row>) async throws -> ResultPager<Row>.Event
    ) {
        inside.tasks[number] = Task { [weak self, store] in
            let event: ResultPager<Row>.Event
            do { event = try await work(store) } catch { event = .failed(number, error) }
            self?.handle(event, after: number)
        }
    }
}
