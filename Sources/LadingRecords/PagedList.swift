import Synchronization

/// A paged list on one screen. It reads visible rows from a store and fetches pages that the store does not have.
///
/// ```swift
/// let list = PagedList(store: store, source: source)
/// try await list.open()
/// list.setVisibleRange(0..<12)
/// for await _ in list.updates { draw(list.slots(in: 0..<12), list.state) }
/// ```
///
/// Without a network it shows the rows of the store. Closing or deallocating it cancels its tasks. Any number of lists may share a store, and each is
/// notified of the changes by the others.
public final class PagedList<Row: PersistableRow>: Sendable {
    /// The loading state of a list.
    public struct State: Sendable {
        /// The directions in which pages are being fetched.
        public internal(set) var fetching: Set<PageDirection>
        /// The errors of the last fetch in each direction. The rows shown before remain; `retry` fetches again.
        public internal(set) var failures: [PageDirection: any Error]
        /// The error of the last read from the store.
        public internal(set) var readFailure: (any Error)?
        /// The places that pages have loaded, and their generations.
        public internal(set) var loadedRanges: [LoadedRange]
        /// Whether the list is known to end after the last loaded range.
        public internal(set) var isComplete: Bool
    }

    private struct MutableState: Sendable {
        var pager: Pager<Row>
        /// The active tasks by the number of their fetch or read.
        var tasks: [Int: Task<Void, Never>] = [:]
        var changesTask: Task<Void, Never>?
        var isClosed = false
    }

    /// An element for each change of the list; for one reader. It ends with `close()`.
    public let updates = ListUpdates()
    private let store: any RecordStore<Row>
    private let source: any PageSource<Row>
    private let mutableState: Mutex<MutableState>

    /// Creates a list, which is empty until it is opened.
    ///
    /// - Parameters:
    ///   - prefetchDistance: The number of places on each side of the visible ones that are loaded ahead.
    ///   - bufferLimit: The maximum number of places in memory; less than four times the prefetch distance counts as that.
    public init(store: any RecordStore<Row>, source: any PageSource<Row>, prefetchDistance: Int = 40, bufferLimit: Int = 400) {
        (self.store, self.source) = (store, source)
        mutableState = Mutex(
            MutableState(pager: Pager(paging: source.paging, limits: .init(prefetchDistance: prefetchDistance, bufferLimit: bufferLimit))))
    }

    deinit { close() }

    /// Reads the loaded ranges from the store, and fetches the first page if there never was one.
    ///
    /// - Throws: Errors of the store. Those of the source are in `state`.
    public nonisolated(nonsending) func open() async throws {
        let changes = store.changes()
        let ranges = try await store.loadedRanges()
        // The subscription started before the read, so later changes are reported after it.
        handle(.opened(ranges))
        mutableState.withLock { state in
            guard !state.isClosed, state.changesTask == nil else { return }
            state.changesTask = Task { [weak self] in
                for await _ in changes { await self?.reloadRanges() }
            }
        }
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

    /// Sets the visible places.
    public func setVisibleRange(_ places: Range<Int>) { handle(.visibleRange(places)) }

    /// Moves the view to a place, loaded or not.
    public func seek(to place: Int) { handle(.seek(to: place)) }

    /// Fetches the list again from its first page. Rows are shown until they are replaced.
    public func refresh() { handle(.refresh) }

    /// Retries failed fetches and reads.
    public func retry() { handle(.retry) }

    /// Returns the slots of some places, in their order and without empty places.
    public func slots(in places: Range<Int>) -> [PageSlot<Row>] { mutableState.withLock { $0.pager.slots(in: places) } }

    /// The rows in memory, in the order of the list: those near the visible places.
    public var rows: [StoredRecord<Row>] { mutableState.withLock { $0.pager.records } }

    /// The loading state.
    public var state: State { mutableState.withLock { State($0.pager) } }

    /// The state and the rows in memory of one moment, with the number of changes of the rows.
    var contents: (state: State, rows: [StoredRecord<Row>], revision: Int) {
        mutableState.withLock { (State($0.pager), $0.pager.records, $0.pager.recordsRevision) }
    }
}

extension PagedList.State {
    fileprivate init(_ pager: Pager<Row>) {
        self.init(
            fetching: pager.fetching, failures: pager.failures, readFailure: pager.readFailure, loadedRanges: pager.loadedRanges.ranges,
            isComplete: pager.isComplete)
    }
}

// MARK: - Effects

extension PagedList {
    private func handle(_ event: Pager<Row>.Event, after number: Int? = nil) {
        let cancelled = mutableState.withLock { inside -> [Task<Void, Never>] in
            if let number { inside.tasks[number] = nil }
            guard !inside.isClosed else { return [] }
            var effects: [Pager<Row>.Effect] = []
            inside.pager.handle(event, effects: &effects)
            return effects.compactMap { perform($0, &inside) }
        }
        for task in cancelled { task.cancel() }
    }

    /// Performs an effect; returns the task to cancel after unlocking.
    private func perform(_ effect: Pager<Row>.Effect, _ inside: inout MutableState) -> Task<Void, Never>? {
        switch effect {
        case .fetch(let fetch): inside.tasks[fetch.number] = Task { [weak self] in await self?.fetch(fetch) }
        case .read(let number, let places): inside.tasks[number] = Task { [weak self] in await self?.read(number, places) }
        case .cancel(let number): return inside.tasks.removeValue(forKey: number)
        case .update: updates.post()
        }
        return nil
    }

    private func fetch(_ fetch: PageFetch) async {
        let event: Pager<Row>.Event
        do { event = try await fetchAndStore(fetch) } catch { event = .failed(fetch.number, error) }
        handle(event, after: fetch.number)
    }

    private func fetchAndStore(_ fetch: PageFetch) async throws -> Pager<Row>.Event {
        let page = RecordPage(try await source.page(at: fetch.key), for: fetch, source.paging)
        try Task.checkCancellation()
        guard try await store.store(page) != .stored else { return .fetched(fetch.number, page.loadedRange) }
        // A newer refresh has changed the loaded ranges, on which the next fetches depend.
        handle(.changed(try await store.loadedRanges()))
        return .dropped(fetch.number)
    }

    private func read(_ number: Int, _ places: Range<Int>) async {
        let event: Pager<Row>.Event
        do {
            event = .read(number, try await store.records(in: places).records)
        } catch {
            event = .readFailed(number, error)
        }
        handle(event, after: number)
    }

    private func reloadRanges() async {
        // After a failure the next change or outdated page reads the ranges again.
        guard let runs = try? await store.loadedRanges() else { return }
        handle(.changed(runs))
    }
}
